package dev.spur.prediction.online;

import dev.spur.model.Checks;
import dev.spur.prediction.speed.TypedObservation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * The reported speed of a job: the latest windows of each shape, and the residuals of the latest reports. Plain data of
 * bounded size, stored as JSON.
 *
 * @param steps one for each type and shape
 * @param residuals residuals of the latest reports, the oldest first
 * @param slower evidence that steps take longer than expected
 * @param faster evidence that steps take less time than expected
 * @param reports reports so far, at least 0
 * @param lastStart start of the last report, at least 0
 */
public record LearnedSpeed(
        List<LearnedStep> steps,
        List<LogResidual> residuals,
        LastingDeviation slower,
        LastingDeviation faster,
        long reports,
        int lastStart) {
    /** Maximum number of shapes; the least recently reported ones beyond it are dropped. */
    public static final int MAX_STEPS = 40;

    /** Number of reports by which a change ages earlier measurements: six half-lives. */
    static final long CHANGE = 1200;
    /** Minimum number of windows of a shape with which later reports are compared. */
    static final int BASELINE_WINDOWS = 40;

    /** A speed without reports. */
    public static final LearnedSpeed NOTHING =
            new LearnedSpeed(List.of(), List.of(), LastingDeviation.NONE, LastingDeviation.NONE, 0, 0);

    public LearnedSpeed {
        steps = Checks.copy(steps);
        residuals = Checks.copy(residuals);
        Checks.require(reports >= 0, "reports (%s) must be at least 0", reports);
        Checks.atLeast("lastStart", lastStart, 0);
    }

    /**
     * Returns the result of {@code report}.
     *
     * @param expectedSeconds expected seconds for its shape before the report, above 0; null while nothing reliable is
     *     expected, so that no change can be detected
     */
    public UpdateResult observe(SpeedReport report, @Nullable Double expectedSeconds) {
        boolean cold = report.start() != lastStart;
        List<LearnedStep> next = new ArrayList<>(steps);
        LearnedStep known = step(report).orElse(null);
        next.remove(known);
        next.add(known == null ? LearnedStep.of(report, cold, reports) : known.and(report, cold, reports));
        if (next.size() > MAX_STEPS) {
            next.stream().min(Comparator.comparingLong(LearnedStep::lastReport)).ifPresent(next::remove);
        }
        ChangeDetector before = ChangeDetector.withoutChange(residuals, slower, faster);
        ChangeDetector now = cold || expectedSeconds == null
                ? before
                : before.after(
                        LogResidual.of(report.acceleratorType(), report.shape(), report.stepSeconds(), expectedSeconds),
                        report.seconds());
        Drift drift = now.drift();
        if (drift != null) {
            next.replaceAll(step -> afterAChange(step, report, drift));
        }
        return new UpdateResult(
                new LearnedSpeed(next, now.residuals(), now.slower(), now.faster(), reports + 1, report.start()),
                Optional.ofNullable(drift));
    }

    /**
     * Returns a step after a detected change. The windows of the reported shape are since the change, because it takes
     * more reports than they are. Other shapes keep little weight until the job runs in them.
     */
    private static LearnedStep afterAChange(LearnedStep step, SpeedReport report, Drift drift) {
        boolean onOtherType =
                drift.acceleratorType() != null && !drift.acceleratorType().equals(step.acceleratorType());
        return step.isOf(report) ? step.withoutCenter() : onOtherType ? step : step.age(CHANGE);
    }

    private Optional<LearnedStep> step(SpeedReport report) {
        return steps.stream().filter(step -> step.isOf(report)).findFirst();
    }

    /**
     * Returns the mean seconds of a step of the shape of {@code report} by earlier reports; empty before
     * {@value #BASELINE_WINDOWS} of them, whose noise it would share.
     */
    public OptionalDouble baselineSeconds(SpeedReport report) {
        return step(report).filter(step -> step.counted() >= BASELINE_WINDOWS).stream()
                .mapToDouble(LearnedStep::center)
                .findFirst();
    }

    /**
     * Returns the observation of the shape of {@code report} while it has one window; empty otherwise. The family of
     * the job learns it at once; further windows follow when the job ends, so that no job outweighs the others.
     */
    public Optional<TypedObservation> firstWindow(SpeedReport report) {
        return steps.stream()
                .filter(step -> step.isOf(report) && step.windows().size() == 1)
                .map(step -> step.observation(reports))
                .findFirst();
    }

    /** Returns one observation for each shape, for a fit. */
    public List<TypedObservation> observations() {
        return steps.stream().map(step -> step.observation(reports)).toList();
    }
}
