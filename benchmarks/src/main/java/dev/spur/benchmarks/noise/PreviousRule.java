package dev.spur.benchmarks.noise;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.prediction.job.PredictedProfile;
import dev.spur.prediction.job.Prediction;
import dev.spur.prediction.job.Prediction.RiskAttitude;
import dev.spur.prediction.online.LearnedSpeed;
import dev.spur.prediction.online.SpeedReport;
import dev.spur.prediction.speed.StepObservation;
import dev.spur.prediction.speed.StepShape;
import dev.spur.prediction.speed.TypedObservation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rule of commit 3c6a22d9: a cumulative sum over reports with fixed limits, and upper ends of prediction intervals
 * after the first detected change. It differs from that build in the number of windows of a shape: nine, not five.
 */
final class PreviousRule implements LearningRule {
    private static final double ALLOWANCE = 0.08;
    private static final double LIMIT = 0.2;
    private static final double MAX_STEP = 0.15;
    /** Weight of the measurements of other configurations after a detected change. */
    private static final double AGED = Math.pow(0.5, 6);

    private LearnedSpeed learned = LearnedSpeed.NOTHING;
    private PredictedProfile predicted = new PredictedProfile(List.of());
    private long generation;
    private double expectedSeconds;
    private double slower;
    private double faster;
    private @Nullable StepShape changedIn;

    @Override
    public boolean learn(long number, Configuration held, SpeedReport report, int batch) {
        boolean isFirst = number != generation;
        if (isFirst) {
            generation = number;
            double speed = held.throughput(predicted.profile(RiskAttitude.EVEN), batch);
            expectedSeconds = predicted.hasNoData() || speed == 0 ? report.stepSeconds() : batch / speed;
        }
        learned = learned.observe(report, null).learned();
        return !isFirst && isChanged(report);
    }

    private boolean isChanged(SpeedReport report) {
        double log = Math.log(report.stepSeconds() / expectedSeconds);
        slower = Math.max(0, slower + Math.min(MAX_STEP, log - ALLOWANCE));
        faster = Math.max(0, faster + Math.min(MAX_STEP, -log - ALLOWANCE));
        if (slower <= LIMIT && faster <= LIMIT) {
            return false;
        }
        expectedSeconds = report.stepSeconds();
        slower = 0;
        faster = 0;
        changedIn = report.shape();
        return true;
    }

    @Override
    public List<TypedObservation> observations() {
        StepShape changed = changedIn;
        return learned.observations().stream()
                .map(seen ->
                        changed == null || changed.equals(seen.observation().shape()) ? seen : age(seen))
                .toList();
    }

    private static TypedObservation age(TypedObservation seen) {
        StepObservation before = seen.observation();
        return new TypedObservation(
                seen.acceleratorType(),
                new StepObservation(before.shape(), before.stepSeconds(), AGED * before.weight()));
    }

    @Override
    public ThroughputProfile plan(PredictedProfile now) {
        predicted = now;
        return changedIn == null ? now.profile(RiskAttitude.EVEN) : upperEnds(now);
    }

    private static ThroughputProfile upperEnds(PredictedProfile now) {
        return new ThroughputProfile(
                now.predictions().stream().map(PreviousRule::upperEnd).toList(), List.of());
    }

    private static ProfilePoint upperEnd(Prediction prediction) {
        ProfilePoint point = prediction.point();
        return new ProfilePoint(
                point.acceleratorType(),
                point.slots(),
                point.nodes(),
                point.batchSize(),
                point.strategy(),
                point.aggregationSlots(),
                prediction.high());
    }
}
