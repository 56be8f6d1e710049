package dev.spur.prediction.efficiency;

import dev.spur.model.Checks;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The losses that a job reported, thinned out: each point is the mean of as many reports as every other one, the last
 * one of at most as many. Plain data of bounded size; as JSON it is what a store keeps.
 *
 * @param points by work, ascending
 * @param each reports in every point but the last one, a power of two
 * @param inLast reports in the last point, from 1 to {@code each}; 0 before the first
 * @param latest the last losses as they were reported, at most {@value #RECENT}, the oldest first
 */
public record LossHistory(List<LossPoint> points, int each, int inLast, List<Double> latest) {
    /** Nothing was reported. */
    public static final LossHistory NOTHING = new LossHistory(List.of(), 1, 0, List.of());

    /** Points beyond which neighbours are joined. */
    static final int MOST = 64;
    /** Losses whose median counts as the present one: the loss of a single batch may be low by chance. */
    static final int RECENT = 5;
    /** Points from which on a curve is believed. */
    private static final int FEWEST = 8;

    public LossHistory {
        points = Checks.copy(points);
        latest = Checks.copy(latest);
        Checks.require(
                points.size() <= MOST && latest.size() <= RECENT,
                "too many points (%s) or latest losses (%s)",
                points.size(),
                latest.size());
        Checks.require(
                inLast <= each && (inLast > 0) == !points.isEmpty(),
                "reports in the last point (%s) do not fit %s points of %s each",
                inLast,
                points.size(),
                each);
    }

    /**
     * With one more report. What lies beyond {@code work} is forgotten: the job has gone back to a checkpoint.
     *
     * @param work effective samples done by then, at least 0
     * @param loss training loss
     */
    public LossHistory and(double work, double loss) {
        List<LossPoint> next = new ArrayList<>(points);
        boolean back = next.removeIf(point -> point.work() > work);
        List<Double> recent = new ArrayList<>(back ? List.of() : latest);
        recent.add(loss);
        int last = back ? each : inLast;
        if (!next.isEmpty() && last < each) {
            next.set(next.size() - 1, joined(next.get(next.size() - 1), last, new LossPoint(work, loss), 1));
            last++;
        } else {
            next.add(new LossPoint(work, loss));
            last = 1;
        }
        LossHistory all =
                new LossHistory(next, each, last, recent.subList(Math.max(0, recent.size() - RECENT), recent.size()));
        return next.size() == MOST && last == each ? all.halved() : all;
    }

    private LossHistory halved() {
        List<LossPoint> half = new ArrayList<>();
        for (int i = 0; i + 1 < points.size(); i += 2) {
            half.add(joined(points.get(i), 1, points.get(i + 1), 1));
        }
        return new LossHistory(half, 2 * each, 2 * each, latest);
    }

    private static LossPoint joined(LossPoint a, double reportsOfA, LossPoint b, double reportsOfB) {
        double all = reportsOfA + reportsOfB;
        return new LossPoint(
                (a.work() * reportsOfA + b.work() * reportsOfB) / all,
                (a.loss() * reportsOfA + b.loss() * reportsOfB) / all);
    }

    /** The present loss: the median of the latest ones; empty before there are {@value #RECENT}. */
    public OptionalDouble present() {
        return latest.size() < RECENT
                ? OptionalDouble.empty()
                : OptionalDouble.of(latest.stream().sorted().toList().get(RECENT / 2));
    }

    /** True if the present loss is at most {@code target}. */
    public boolean hasReached(double target) {
        return present().orElse(Double.POSITIVE_INFINITY) <= target;
    }

    /**
     * Effective samples after which the loss is expected to be {@code target}, from the beginning and at least those of
     * the last point; empty while too little is known, and if by the curve it never will be.
     */
    public OptionalDouble workTo(double target) {
        if (points.size() < FEWEST) {
            return OptionalDouble.empty();
        }
        double done = points.get(points.size() - 1).work();
        OptionalDouble foretold =
                LossCurve.fit(points).map(curve -> curve.workTo(target)).orElse(OptionalDouble.empty());
        return foretold.isPresent() ? OptionalDouble.of(Math.max(done, foretold.getAsDouble())) : foretold;
    }
}
