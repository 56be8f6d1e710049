package dev.spur.prediction.online;

import java.util.List;
import java.util.Optional;

/** Names what reports that were too slow, or too fast, have in common. */
final class DriftAttribution {
    /** Logarithms from which on a report counts as too slow or too fast. */
    private static final double FAR = 0.05;

    private DriftAttribution() {}

    /** The drift behind {@code surprises}, of which the last ones are all too slow or all too fast. */
    static Drift of(List<LogResidual> surprises, boolean slower) {
        List<LogResidual> far = surprises.stream()
                .filter(surprise -> slower ? surprise.log() > FAR : surprise.log() < -FAR)
                .toList();
        double factor =
                Math.exp(far.stream().mapToDouble(LogResidual::log).average().orElse(0));
        Optional<Drift.Dimension> dimension =
                surprises.stream().map(LogResidual::shape).distinct().count() == 1
                                && surprises.stream()
                                                .map(LogResidual::acceleratorType)
                                                .distinct()
                                                .count()
                                        == 1
                        ? Optional.of(Drift.Dimension.SHAPE)
                        : ResidualModel.of(surprises).dimension();
        Drift.Dimension named = dimension.orElse(Drift.Dimension.SHAPE);
        String type = far.isEmpty() ? null : far.get(far.size() - 1).acceleratorType();
        return named == Drift.Dimension.TYPE && type != null
                ? new Drift(named, type, factor)
                : new Drift(named == Drift.Dimension.TYPE ? Drift.Dimension.SHAPE : named, null, factor);
    }
}
