package dev.spur.prediction.online;

import dev.spur.model.Checks;
import dev.spur.prediction.speed.TypedObservation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What a job has reported of its speed: for each shape the latest windows, and how far the latest reports were from
 * what was expected. Plain data of bounded size; as JSON it is what a store keeps.
 *
 * @param steps one for each type and shape
 * @param surprises the latest reports beside what was expected, the oldest first
 * @param reports reports so far, at least 0
 * @param lastStart start of the last report, at least 0
 */
public record LearnedSpeed(List<LearnedStep> steps, List<LogResidual> surprises, long reports, int lastStart) {
    /** Shapes that are kept; beyond, those that were not reported for longest are forgotten. */
    public static final int MOST_STEPS = 40;

    static final int MOST_SURPRISES = 20;
    /** As many reports a change makes older what was measured before it: six half-lives. */
    static final long CHANGE = 1200;
    /** Nothing was reported. */
    public static final LearnedSpeed NOTHING = new LearnedSpeed(List.of(), List.of(), 0, 0);

    public LearnedSpeed {
        steps = Checks.copy(steps);
        surprises = Checks.copy(surprises);
        Checks.require(reports >= 0, "reports (%s) must be at least 0", reports);
        Checks.atLeast("lastStart", lastStart, 0);
    }

    /**
     * What is known after {@code report}.
     *
     * @param expectedSeconds what was predicted for its shape before it came, above 0
     */
    public UpdateResult observe(SpeedReport report, double expectedSeconds) {
        Checks.positive("expectedSeconds", expectedSeconds);
        boolean cold = report.start() != lastStart;
        List<LearnedStep> next = new ArrayList<>(steps);
        LearnedStep known =
                steps.stream().filter(step -> step.isOf(report)).findFirst().orElse(null);
        next.remove(known);
        next.add(
                known == null
                        ? new LearnedStep(
                                report.acceleratorType(), report.shape(), List.of(report.stepSeconds()), cold, reports)
                        : known.and(report.stepSeconds(), cold, reports));
        if (next.size() > MOST_STEPS) {
            next.stream().min(Comparator.comparingLong(LearnedStep::lastReport)).ifPresent(next::remove);
        }
        CusumDetector alarm = cold
                ? new CusumDetector(surprises, null)
                : CusumDetector.after(
                        surprises,
                        LogResidual.of(report.acceleratorType(), report.shape(), report.stepSeconds(), expectedSeconds),
                        MOST_SURPRISES);
        Drift drift = alarm.drift();
        if (drift != null) {
            next.replaceAll(step -> afterAChange(step, report, drift, expectedSeconds));
        }
        return new UpdateResult(
                new LearnedSpeed(next, alarm.surprises(), reports + 1, report.start()), Optional.ofNullable(drift));
    }

    /**
     * What a step still tells once a change is certain: where the job runs, what came since; elsewhere little, until it
     * runs there.
     */
    private static LearnedStep afterAChange(LearnedStep step, SpeedReport report, Drift drift, double expectedSeconds) {
        if (step.isOf(report)) {
            return step.sinceTheChange(expectedSeconds);
        }
        boolean elsewhere =
                drift.acceleratorType() != null && !drift.acceleratorType().equals(step.acceleratorType());
        return elsewhere ? step : step.aged(CHANGE);
    }

    /** What was learnt, for a fit: a step for each shape. */
    public List<TypedObservation> observations() {
        return steps.stream().map(step -> step.observation(reports)).toList();
    }
}
