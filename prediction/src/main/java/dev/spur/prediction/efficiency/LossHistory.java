package dev.spur.prediction.efficiency;

import dev.spur.model.Checks;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The losses that a job reported, thinned out. Each point is the mean of an equal number of reports; the last point may
 * have less. Plain data of bounded size, stored as JSON.
 *
 * @param points by work, ascending
 * @param each reports in every point but the last one, a power of two
 * @param inLast reports in the last point, from 1 to {@code each}; 0 before the first
 * @param latest the last reported losses, at most {@value #RECENT}, the oldest first
 */
public record LossHistory(List<LossPoint> points, int each, int inLast, List<Double> latest) {
    /** A history without reports. */
    public static final LossHistory NOTHING = new LossHistory(List.of(), 1, 0, List.of());

    /** Number of points above which neighbors are merged. */
    static final int MAX_POINTS = 64;
    /** Number of losses whose median is the current loss; the loss of a single batch may be low by chance. */
    static final int RECENT = 5;
    /** Minimum number of points for a curve. */
    private static final int MIN_POINTS = 8;

    public LossHistory {
        points = Checks.copy(points);
        latest = Checks.copy(latest);
        Checks.require(
                points.size() <= MAX_POINTS && latest.size() <= RECENT,
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
     * Returns this history with one more report. Points beyond {@code work} are dropped, because the job has returned
     * to a checkpoint.
     *
     * @param work effective samples completed at the report, at least 0
     * @param loss training loss
     */
    public LossHistory and(double work, double loss) {
        List<LossPoint> next = new ArrayList<>(points);
        boolean back = next.removeIf(point -> point.work() > work);
        List<Double> recent = new ArrayList<>(back ? List.of() : latest);
        recent.add(loss);
        int last = back ? each : inLast;
        if (!next.isEmpty() && last < each) {
            next.set(next.size() - 1, join(next.get(next.size() - 1), last, new LossPoint(work, loss), 1));
            last++;
        } else {
            next.add(new LossPoint(work, loss));
            last = 1;
        }
        LossHistory all =
                new LossHistory(next, each, last, recent.subList(Math.max(0, recent.size() - RECENT), recent.size()));
        return next.size() == MAX_POINTS && last == each ? all.halve() : all;
    }

    private LossHistory halve() {
        List<LossPoint> half = new ArrayList<>();
        for (int i = 0; i + 1 < points.size(); i += 2) {
            half.add(join(points.get(i), 1, points.get(i + 1), 1));
        }
        return new LossHistory(half, 2 * each, 2 * each, latest);
    }

    private static LossPoint join(LossPoint a, double reportsOfA, LossPoint b, double reportsOfB) {
        double all = reportsOfA + reportsOfB;
        return new LossPoint(
                (a.work() * reportsOfA + b.work() * reportsOfB) / all,
                (a.loss() * reportsOfA + b.loss() * reportsOfB) / all);
    }

    /** Returns the current loss: the median of the latest losses; empty before there are {@value #RECENT}. */
    public OptionalDouble present() {
        return latest.size() < RECENT
                ? OptionalDouble.empty()
                : OptionalDouble.of(latest.stream().sorted().toList().get(RECENT / 2));
    }

    /** Returns true if the current loss is at most {@code target}. */
    public boolean hasReached(double target) {
        return present().orElse(Double.POSITIVE_INFINITY) <= target;
    }

    /**
     * Returns the total effective samples at which the loss is predicted to be {@code target}, at least those of the
     * last point; empty while there are too few points, and if the curve never reaches it.
     */
    public OptionalDouble workTo(double target) {
        if (points.size() < MIN_POINTS) {
            return OptionalDouble.empty();
        }
        double done = points.get(points.size() - 1).work();
        OptionalDouble predicted =
                LossCurve.fit(points).map(curve -> curve.workTo(target)).orElse(OptionalDouble.empty());
        return predicted.isPresent() ? OptionalDouble.of(Math.max(done, predicted.getAsDouble())) : predicted;
    }
}
