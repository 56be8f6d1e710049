package dev.spur.simulator.report;

import dev.spur.simulator.replay.AllocationInterval;
import dev.spur.simulator.replay.JobOutcome;
import dev.spur.simulator.replay.Replay;
import dev.spur.simulator.replay.RoundSample;
import dev.spur.simulator.report.plot.Series;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Series of the report's plots, reduced to the visible resolution. Times are hours. */
final class SeriesBuilder {
    private static final double HOUR = 3600;
    private static final int POINTS = 400;

    private SeriesBuilder() {}

    /** Returns the cumulative distribution of job completion times, by seconds. */
    static Series completion(Replay replay) {
        return distribution(replay.policy(), replay.jobs(), Summary::jct);
    }

    /** Returns the cumulative distribution of finish-time fairness over the jobs. */
    static Series fairness(Replay replay) {
        return distribution(replay.policy(), replay.jobs(), JobOutcome::fairness);
    }

    private static <T> Series distribution(String name, List<T> list, Function<T, @Nullable Double> value) {
        Distribution distribution = Summary.sample(list, value);
        int points = distribution.size() == 0 ? 0 : POINTS;
        double[] shares = IntStream.range(0, points)
                .mapToDouble(i -> (double) i / (POINTS - 1))
                .toArray();
        double[] values = IntStream.range(0, points)
                .mapToDouble(i -> distribution.quantile(shares[i]))
                .toArray();
        return Series.line(name, values, shares);
    }

    /**
     * Returns the number of waiting jobs over time: the mean of the rounds in each interval, or the previous mean if
     * the interval has no round.
     */
    static Series queue(Replay replay, double endSeconds) {
        double[] sums = new double[POINTS];
        int[] counts = new int[POINTS];
        for (RoundSample round : replay.rounds()) {
            int bin = bin(round.time(), endSeconds);
            sums[bin] += round.waiting();
            counts[bin]++;
        }
        double[] means = new double[POINTS];
        for (int i = 0; i < POINTS; i++) {
            double before = i == 0 ? 0 : means[i - 1];
            means[i] = counts[i] == 0 ? before : sums[i] / counts[i];
        }
        return Series.line(replay.policy(), hours(endSeconds), means);
    }

    /** Returns the fraction of slots that jobs held, over time. */
    static Series utilization(Replay replay, double endSeconds) {
        double width = endSeconds / POINTS;
        double[] held = new double[POINTS];
        for (AllocationInterval interval : replay.allocationIntervals()) {
            int slots = interval.allocation().configuration().slots();
            for (int i = bin(interval.start(), endSeconds); i <= bin(interval.end(), endSeconds); i++) {
                double overlap = Math.min(interval.end(), (i + 1) * width) - Math.max(interval.start(), i * width);
                held[i] += Math.max(0, overlap) * slots / (width * replay.slots());
            }
        }
        return Series.line(replay.policy(), hours(endSeconds), held);
    }

    /** Returns the decision times in seconds over time: the maximum of each interval. */
    static Series decisions(Replay replay, double endSeconds) {
        return peaks(replay, endSeconds, RoundSample::decisionSeconds);
    }

    /** Returns the optimality gaps over time: the maximum of each interval; intervals without a gap have no point. */
    static Series gaps(Replay replay, double endSeconds) {
        return peaks(replay, endSeconds, round -> round.gap() == null ? Double.NaN : round.gap());
    }

    private static Series peaks(Replay replay, double endSeconds, ToDoubleFunction<RoundSample> value) {
        Map<Integer, Double> max = new HashMap<>();
        for (RoundSample round : replay.rounds()) {
            double own = value.applyAsDouble(round);
            if (!Double.isNaN(own)) {
                max.merge(bin(round.time(), endSeconds), own, Math::max);
            }
        }
        List<Map.Entry<Integer, Double>> points =
                max.entrySet().stream().sorted(Map.Entry.comparingByKey()).toList();
        double[] hours = hours(endSeconds);
        return Series.ofPoints(
                replay.policy(),
                points.stream().mapToDouble(point -> hours[point.getKey()]).toArray(),
                points.stream().mapToDouble(Map.Entry::getValue).toArray());
    }

    /** Returns the completion time of each job under {@code one} and {@code other}, for jobs that ended under both. */
    static Series pairs(Replay one, Replay other) {
        Map<String, Double> under = new HashMap<>();
        for (JobOutcome job : one.jobs()) {
            Double jct = Summary.jct(job);
            if (jct != null) {
                under.put(job.id(), jct);
            }
        }
        List<JobOutcome> common = other.jobs().stream()
                .filter(job -> job.end() != null && under.containsKey(job.id()))
                .toList();
        int step = Math.max(1, common.size() / 2000);
        int[] retained =
                IntStream.range(0, common.size()).filter(i -> i % step == 0).toArray();
        double[] x = new double[retained.length];
        double[] y = new double[retained.length];
        for (int i = 0; i < retained.length; i++) {
            JobOutcome job = common.get(retained[i]);
            Double jct = Summary.jct(job);
            x[i] = under.getOrDefault(job.id(), 0.0);
            y[i] = jct == null ? 0 : jct;
        }
        return Series.ofPoints(other.policy(), x, y);
    }

    private static int bin(double time, double endSeconds) {
        return Math.min(POINTS - 1, Math.max(0, (int) (time / endSeconds * POINTS)));
    }

    private static double[] hours(double endSeconds) {
        return IntStream.range(0, POINTS)
                .mapToDouble(i -> (i + 0.5) * endSeconds / POINTS / HOUR)
                .toArray();
    }
}
