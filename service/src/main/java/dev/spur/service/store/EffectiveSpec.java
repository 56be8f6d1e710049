package dev.spur.service.store;

import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.JobSpec;
import dev.spur.model.performance.StatisticalEfficiency;
import dev.spur.prediction.job.PredictedProfile;
import dev.spur.prediction.job.Prediction.RiskAttitude;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a job asks for, with the speeds that rounds are to believe in. How much is not sure about them counts by what is
 * at stake:
 *
 * <ul>
 *   <li>without a deadline, for the job: the upper limit of the band of 80 %, so that shapes are tried of which little
 *       is known, and what was tried is known;
 *   <li>with a deadline that is only asked for, nothing: the median;
 *   <li>with a deadline that was promised, against it: the lower limit.
 * </ul>
 */
public final class EffectiveSpec {
    private final JobSpec stated;
    private final @Nullable PredictedProfile predicted;
    private final @Nullable Double noiseScale;
    private final Map<RiskAttitude, JobSpec> believed = new EnumMap<>(RiskAttitude.class);

    /**
     * @param predicted predictions for all that a round may ask; null if it is planned as stated
     * @param noiseScale gradient noise scale, smoothed over what was reported; null if none was
     */
    public EffectiveSpec(JobSpec stated, @Nullable PredictedProfile predicted, @Nullable Double noiseScale) {
        this.stated = stated;
        this.predicted = predicted;
        this.noiseScale = noiseScale;
    }

    /** The specification for a job with this promise. */
    public synchronized JobSpec of(DeadlineStatus deadlineStatus) {
        PredictedProfile known = predicted;
        return known == null
                ? stated
                : believed.computeIfAbsent(stance(deadlineStatus), stance -> believe(known, stance));
    }

    private static RiskAttitude stance(DeadlineStatus deadlineStatus) {
        return switch (deadlineStatus) {
            case NONE -> RiskAttitude.OPTIMISTIC;
            case PENDING, AT_RISK -> RiskAttitude.EVEN;
            case GUARANTEED -> RiskAttitude.CAUTIOUS;
        };
    }

    private JobSpec believe(PredictedProfile known, RiskAttitude stance) {
        StatisticalEfficiency efficiency =
                noiseScale == null ? stated.efficiency() : StatisticalEfficiency.ofNoiseScale(noiseScale);
        return stated.withSpeed(known.profile(stance), efficiency);
    }
}
