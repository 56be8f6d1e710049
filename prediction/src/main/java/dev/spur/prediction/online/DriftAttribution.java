package dev.spur.prediction.online;

import java.util.List;
import java.util.stream.IntStream;

/** Attributes reports that were too slow, or too fast, to a common dimension. */
final class DriftAttribution {
    /** Maximum number of residuals of each shape, since repeated reports of a shape do not distinguish shapes. */
    private static final int OF_SHAPE = 3;

    private DriftAttribution() {}

    /**
     * Returns the drift behind {@code residuals}.
     *
     * @param since number of the last residuals that the change may have affected, at least 1
     */
    static Drift of(List<LogResidual> residuals, int since) {
        List<LogResidual> changed = residuals.subList(Math.max(0, residuals.size() - since), residuals.size());
        double[] logs = changed.stream().mapToDouble(LogResidual::log).sorted().toArray();
        double factor = Math.exp(logs[logs.length / 2]);
        LogResidual newest = residuals.get(residuals.size() - 1);
        Drift.Dimension dimension = residuals.stream().allMatch(newest::isOfShapeOf)
                ? Drift.Dimension.SHAPE
                : ResidualModel.of(newestOfEachShape(residuals)).dimension().orElse(Drift.Dimension.SHAPE);
        return new Drift(dimension, dimension == Drift.Dimension.TYPE ? newest.acceleratorType() : null, factor);
    }

    private static List<LogResidual> newestOfEachShape(List<LogResidual> residuals) {
        return IntStream.range(0, residuals.size())
                .filter(i -> residuals.subList(i + 1, residuals.size()).stream()
                                .filter(residuals.get(i)::isOfShapeOf)
                                .count()
                        < OF_SHAPE)
                .mapToObj(residuals::get)
                .toList();
    }
}
