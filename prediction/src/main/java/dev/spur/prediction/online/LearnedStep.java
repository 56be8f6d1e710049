package dev.spur.prediction.online;

import dev.spur.model.Checks;
import dev.spur.prediction.speed.StepObservation;
import dev.spur.prediction.speed.StepShape;
import dev.spur.prediction.speed.TypedObservation;
import java.util.ArrayList;
import java.util.List;

/**
 * The latest windows of one shape.
 *
 * @param acceleratorType type of all devices
 * @param shape shape of the steps
 * @param windows seconds of a step in each window, the oldest first, at least one
 * @param cold true if the only window is that of a start, which may contain steps slowed by data loading
 * @param lastReport number of the job's report with the newest window
 */
public record LearnedStep(
        String acceleratorType, StepShape shape, List<Double> windows, boolean cold, long lastReport) {
    /** Maximum number of windows, fewer than the reports of a detected change, which takes effect after five. */
    static final int MAX_WINDOWS = 9;
    /** Weight of a single window of a start. */
    private static final double COLD_WEIGHT = 0.1;
    /** Number of reports after which a step that was not reported again has half its weight. */
    private static final double HALF_LIFE = 200;

    public LearnedStep {
        Checks.nonBlank("acceleratorType", acceleratorType);
        windows = Checks.copy(windows);
        Checks.require(!windows.isEmpty(), "a learned step requires at least one window");
        windows.forEach(seconds -> Checks.positive("seconds", seconds));
        Checks.require(!cold || windows.size() == 1, "a cold step has one window, not %s", windows.size());
    }

    /**
     * Returns this step with one more window. A warm window replaces a cold one, and a cold one is not added to warm
     * ones. Windows with at most half their weight are dropped.
     */
    LearnedStep and(double seconds, boolean coldToo, long report) {
        if (report - lastReport >= HALF_LIFE) {
            return new LearnedStep(acceleratorType, shape, List.of(seconds), coldToo, report);
        }
        if (coldToo && !cold) {
            return new LearnedStep(acceleratorType, shape, windows, false, report);
        }
        List<Double> next = cold ? new ArrayList<>() : new ArrayList<>(windows);
        next.add(seconds);
        return new LearnedStep(
                acceleratorType,
                shape,
                next.subList(Math.max(0, next.size() - MAX_WINDOWS), next.size()),
                coldToo,
                report);
    }

    /** Returns this step with the weight after {@code reports} more reports. */
    LearnedStep age(long reports) {
        return new LearnedStep(acceleratorType, shape, windows, cold, lastReport - reports);
    }

    boolean isOf(SpeedReport report) {
        return acceleratorType.equals(report.acceleratorType()) && shape.equals(report.shape());
    }

    /** Returns the median of the windows, which is robust to one slow window; its weight decreases with its age. */
    TypedObservation observation(long reports) {
        double weight = (cold ? COLD_WEIGHT : 1) * Math.pow(0.5, (reports - lastReport) / HALF_LIFE);
        return new TypedObservation(acceleratorType, new StepObservation(shape, median(), Math.max(1e-3, weight)));
    }

    private double median() {
        double[] sorted = windows.stream().mapToDouble(x -> x).sorted().toArray();
        int half = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[half] : Math.sqrt(sorted[half - 1] * sorted[half]);
    }
}
