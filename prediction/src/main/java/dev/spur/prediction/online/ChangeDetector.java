package dev.spur.prediction.online;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Detects a lasting change of the speed of a job: a cumulative sum (Page, Continuous inspection schemes, Biometrika
 * 1954) of seconds of training. A report adds its seconds times
 *
 * <pre>
 * max(-1, min(1, (r - 0.15) / max(0.1, noise)))
 * </pre>
 *
 * <p>Here r is the logarithm of the measured over the expected seconds of a step, and of the inverse for a change to
 * faster steps. The noise is the robust standard deviation of r between consecutive reports of a shape. So a change
 * must last, whatever the number of reports, and must exceed the noise. Neither an outlier nor a busy host of up to
 * four minutes suffices.
 *
 * @param residuals the latest residuals since the last change, the oldest first
 * @param slower evidence that steps take longer than expected
 * @param faster evidence that steps take less time than expected
 * @param drift the detected change; null if there is none
 */
record ChangeDetector(
        List<LogResidual> residuals,
        LastingDeviation slower,
        LastingDeviation faster,
        @Nullable Drift drift) {
    /** Absolute logarithm up to which a deviation is a difference between nodes or runs. */
    static final double ALLOWANCE = 0.15;
    /** Minimum assumed noise of a report, as a standard deviation of logarithms. */
    private static final double MIN_NOISE = 0.1;
    /** Sum from which a change is detected. */
    private static final double CHANGE_SECONDS = 300;
    /** Maximum seconds that one report adds, so that a change needs at least ten reports. */
    private static final double MAX_REPORT_SECONDS = 30;
    /** Maximum number of residuals of one shape. */
    private static final int MAX_OF_SHAPE = 12;
    /** Maximum number of residuals. */
    private static final int MAX_RESIDUALS = 36;
    /** Median absolute difference of two draws from a normal distribution of standard deviation 1. */
    private static final double MEDIAN_DIFFERENCE = 0.6745 * Math.sqrt(2);

    /** Returns the state without a change after these residuals. */
    static ChangeDetector withoutChange(
            List<LogResidual> residuals, LastingDeviation slowerDeviation, LastingDeviation fasterDeviation) {
        return new ChangeDetector(residuals, slowerDeviation, fasterDeviation, null);
    }

    /**
     * Returns the state after one more report.
     *
     * @param seconds seconds of training that the report covers, above 0
     */
    ChangeDetector after(LogResidual residual, double seconds) {
        List<LogResidual> all = new ArrayList<>(residuals);
        all.add(residual);
        double counted = Math.min(MAX_REPORT_SECONDS, seconds);
        double noise = Math.max(MIN_NOISE, noise(all));
        LastingDeviation up = slower.and(counted * excess(residual.log(), noise));
        LastingDeviation down = faster.and(counted * excess(-residual.log(), noise));
        LastingDeviation lasting = up.seconds() >= CHANGE_SECONDS ? up : down.seconds() >= CHANGE_SECONDS ? down : null;
        return lasting == null
                ? withoutChange(bound(all), up, down)
                : new ChangeDetector(
                        List.of(),
                        LastingDeviation.NONE,
                        LastingDeviation.NONE,
                        DriftAttribution.of(all, lasting.reports()));
    }

    private static double excess(double log, double noise) {
        return Math.max(-1, Math.min(1, (log - ALLOWANCE) / noise));
    }

    /**
     * Returns the standard deviation of a residual by the median of the differences between consecutive ones of a
     * shape, to which a change contributes once; 0 with fewer than two.
     */
    static double noise(List<LogResidual> residuals) {
        double[] differences = IntStream.range(1, residuals.size())
                .filter(i -> residuals.get(i).isOfShapeOf(residuals.get(i - 1)))
                .mapToDouble(i ->
                        Math.abs(residuals.get(i).log() - residuals.get(i - 1).log()))
                .toArray();
        Arrays.sort(differences);
        return differences.length == 0 ? 0 : differences[differences.length / 2] / MEDIAN_DIFFERENCE;
    }

    private static List<LogResidual> bound(List<LogResidual> all) {
        LogResidual newest = all.get(all.size() - 1);
        List<LogResidual> same = all.stream().filter(newest::isOfShapeOf).toList();
        if (same.size() > MAX_OF_SHAPE) {
            all.remove(all.indexOf(same.get(0)));
        } else if (all.size() > MAX_RESIDUALS) {
            all.remove(0);
        }
        return all;
    }
}
