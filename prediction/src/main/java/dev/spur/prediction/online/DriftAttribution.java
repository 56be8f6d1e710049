package dev.spur.prediction.online;

import java.util.List;
import java.util.Optional;

/** Attributes reports that were too slow, or too fast, to a common dimension. */
final class DriftAttribution {
    /** Absolute logarithm from which a report counts as too slow or too fast. */
    private static final double FAR = 0.05;

    private DriftAttribution() {}

    /** Returns the drift behind {@code residuals}, of which the last ones are all too slow or all too fast. */
    static Drift of(List<LogResidual> residuals, boolean slower) {
        List<LogResidual> far = residuals.stream()
                .filter(residual -> slower ? residual.log() > FAR : residual.log() < -FAR)
                .toList();
        double factor =
                Math.exp(far.stream().mapToDouble(LogResidual::log).average().orElse(0));
        Optional<Drift.Dimension> dimension =
                residuals.stream().map(LogResidual::shape).distinct().count() == 1
                                && residuals.stream()
                                                .map(LogResidual::acceleratorType)
                                                .distinct()
                                                .count()
                                        == 1
                        ? Optional.of(Drift.Dimension.SHAPE)
                        : ResidualModel.of(residuals).dimension();
        Drift.Dimension named = dimension.orElse(Drift.Dimension.SHAPE);
        String type = far.isEmpty() ? null : far.get(far.size() - 1).acceleratorType();
        return named == Drift.Dimension.TYPE && type != null
                ? new Drift(named, type, factor)
                : new Drift(named == Drift.Dimension.TYPE ? Drift.Dimension.SHAPE : named, null, factor);
    }
}
