package dev.spur.prediction.online;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** Finds what reports that were too slow, or too fast, have in common. */
final class Explanation {
    /** Share of the surprise that a dimension must explain better than none. */
    private static final double BETTER = 0.7;

    private Explanation() {}

    /** The drift behind {@code surprises}, of which the last ones are all too slow or all too fast. */
    static Drift of(List<Surprise> surprises, boolean slower) {
        List<Surprise> far = surprises.stream()
                .filter(s -> slower ? s.log() > 0.05 : s.log() < -0.05)
                .toList();
        double factor =
                Math.exp(far.stream().mapToDouble(Surprise::log).average().orElse(0));
        if (surprises.stream().map(Surprise::shape).distinct().count() == 1) {
            return new Drift(Drift.Dimension.SHAPE, null, factor);
        }
        List<String> types =
                far.stream().map(Surprise::acceleratorType).distinct().toList();
        boolean othersFine = surprises.stream().anyMatch(s -> !types.contains(s.acceleratorType()));
        if (types.size() == 1 && othersFine) {
            return new Drift(Drift.Dimension.TYPE, types.get(0), factor);
        }
        double constant = unexplained(surprises, s -> 0);
        Drift.Dimension best = Drift.Dimension.EVERYWHERE;
        double least = BETTER * constant;
        for (Trend trend : TRENDS) {
            double left = unexplained(surprises, trend.by);
            if (left < least) {
                least = left;
                best = trend.dimension;
            }
        }
        return new Drift(best, null, factor);
    }

    private record Trend(Drift.Dimension dimension, ToDoubleFunction<Surprise> by) {}

    private static final List<Trend> TRENDS = List.of(
            new Trend(Drift.Dimension.SLOTS, s -> Math.log(s.shape().slots())),
            new Trend(Drift.Dimension.BATCH, s -> Math.log(s.shape().perSlotBatch())),
            new Trend(
                    Drift.Dimension.AGGREGATION,
                    s -> Math.log(Math.max(1e-3, s.shape().aggregationSlots()))));

    /** Squares left by a straight line over {@code by}. */
    private static double unexplained(List<Surprise> surprises, ToDoubleFunction<Surprise> by) {
        double meanX = surprises.stream().collect(Collectors.averagingDouble(by));
        double meanY = surprises.stream().collect(Collectors.averagingDouble(Surprise::log));
        double xx = 0;
        double xy = 0;
        double yy = 0;
        for (Surprise surprise : surprises) {
            double x = by.applyAsDouble(surprise) - meanX;
            double y = surprise.log() - meanY;
            xx += x * x;
            xy += x * y;
            yy += y * y;
        }
        return yy - (xx > 0 ? xy * xy / xx : 0);
    }
}
