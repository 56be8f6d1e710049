package dev.spur.service.jobs;

import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.JobSpec;
import dev.spur.model.performance.StatisticalEfficiency;
import dev.spur.prediction.job.PredictedProfile;
import dev.spur.prediction.job.Prediction.RiskAttitude;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Specification of a job with the speeds that rounds plan with. The deadline status selects the value from the
 * prediction interval, as {@link RiskAttitude#of} states.
 */
public final class EffectiveSpec {
    private final JobSpec stated;
    private final @Nullable PredictedProfile predicted;
    private final @Nullable Double noiseScale;
    private final Map<RiskAttitude, JobSpec> assumed = new EnumMap<>(RiskAttitude.class);

    /**
     * Creates the effective specification.
     *
     * @param predicted predictions for all configurations of a round; null to plan with the stated profile
     * @param noiseScale gradient noise scale, smoothed over the reports; null if no report has one
     */
    public EffectiveSpec(JobSpec stated, @Nullable PredictedProfile predicted, @Nullable Double noiseScale) {
        this.stated = stated;
        this.predicted = predicted;
        this.noiseScale = noiseScale;
    }

    /** Returns the specification for a job with this deadline status. */
    public synchronized JobSpec of(DeadlineStatus deadlineStatus) {
        PredictedProfile known = predicted;
        return known == null
                ? stated
                : assumed.computeIfAbsent(
                        RiskAttitude.of(deadlineStatus), attitude -> withPredictions(known, attitude));
    }

    private JobSpec withPredictions(PredictedProfile known, RiskAttitude attitude) {
        StatisticalEfficiency efficiency =
                noiseScale == null ? stated.efficiency() : StatisticalEfficiency.ofNoiseScale(noiseScale);
        return stated.withSpeed(known.profile(attitude), efficiency);
    }
}
