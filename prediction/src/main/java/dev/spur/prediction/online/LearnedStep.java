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
 * @param center robust geometric mean of the seconds in all warm windows, above 0
 * @param counted number of warm windows in {@code center}, at least 0
 */
public record LearnedStep(
        String acceleratorType,
        StepShape shape,
        List<Double> windows,
        boolean cold,
        long lastReport,
        double center,
        int counted) {
    /** Maximum number of windows, fewer than the reports of a detected change, which takes effect after five. */
    static final int MAX_WINDOWS = 9;
    /** Weight of a single window of a start. */
    private static final double COLD_WEIGHT = 0.1;
    /** Maximum deviation of a window from the center, as a difference of logarithms. */
    private static final double MAX_DEVIATION = 0.5;
    /** Number of reports after which a step that was not reported again has half its weight. */
    private static final double HALF_LIFE = 200;

    public LearnedStep {
        Checks.nonBlank("acceleratorType", acceleratorType);
        windows = Checks.copy(windows);
        Checks.require(!windows.isEmpty(), "a learned step requires at least one window");
        windows.forEach(seconds -> Checks.positive("seconds", seconds));
        Checks.require(!cold || windows.size() == 1, "a cold step has one window, not %s", windows.size());
        Checks.positive("center", center);
        Checks.atLeast("counted", counted, 0);
    }

    /** Returns the step with its first window. */
    static LearnedStep of(SpeedReport report, boolean cold, long number) {
        double seconds = report.stepSeconds();
        return new LearnedStep(
                report.acceleratorType(), report.shape(), List.of(seconds), cold, number, seconds, cold ? 0 : 1);
    }

    /**
     * Returns this step with one more window. A warm window replaces a cold one, and a cold one is not added to warm
     * ones. Windows with at most half their weight are dropped.
     */
    LearnedStep and(SpeedReport report, boolean coldToo, long number) {
        if (number - lastReport >= HALF_LIFE) {
            return of(report, coldToo, number);
        }
        if (coldToo && !cold) {
            return new LearnedStep(acceleratorType, shape, windows, false, number, center, counted);
        }
        List<Double> next = cold ? new ArrayList<>() : new ArrayList<>(windows);
        next.add(report.stepSeconds());
        List<Double> last = next.subList(Math.max(0, next.size() - MAX_WINDOWS), next.size());
        return coldToo
                ? new LearnedStep(acceleratorType, shape, last, true, number, report.stepSeconds(), 0)
                : new LearnedStep(
                        acceleratorType, shape, last, false, number, centerWith(report.stepSeconds()), counted + 1);
    }

    /** Returns the center with one more warm window, which counts at most {@value #MAX_DEVIATION} from it. */
    private double centerWith(double seconds) {
        if (counted == 0) {
            return seconds;
        }
        double log = Math.log(seconds / center);
        return center * Math.exp(Math.max(-MAX_DEVIATION, Math.min(MAX_DEVIATION, log)) / (counted + 1));
    }

    /** Returns this step with the weight after {@code reports} more reports. */
    LearnedStep age(long reports) {
        return new LearnedStep(acceleratorType, shape, windows, cold, lastReport - reports, center, counted);
    }

    /** Returns this step with a center of later windows only. */
    LearnedStep withoutCenter() {
        return new LearnedStep(acceleratorType, shape, windows, cold, lastReport, center, 0);
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
