package dev.spur.service.performance;

import dev.spur.prediction.efficiency.NoiseScale;
import dev.spur.prediction.job.PredictedProfile;
import dev.spur.prediction.online.Drift;
import dev.spur.prediction.online.LearnedSpeed;
import org.jspecify.annotations.Nullable;

/**
 * Measured and predicted speed of a job, in addition to its stated profile.
 *
 * @param learned speed measurements from its reports
 * @param predicted predicted speeds in the configurations that rounds may choose
 * @param noise gradient noise scale, smoothed over the reports
 * @param drift last lasting change of the speed; null if there was none
 * @param expected expected step time that reports are compared with; null before the first one
 * @param basis versions that the predictions are based on
 */
public record JobLearning(
        LearnedSpeed learned,
        PredictedProfile predicted,
        NoiseScale noise,
        @Nullable Drift drift,
        @Nullable ExpectedStepTime expected,
        Basis basis) {
    /** Returns the initial value for a job without measurements, whose speed must be predicted. */
    public static JobLearning nothing(PredictedProfile stated) {
        return new JobLearning(LearnedSpeed.NOTHING, stated, NoiseScale.UNKNOWN, null, null, Basis.OUTDATED);
    }

    /** Returns this value with other predictions. */
    public JobLearning withPredictions(PredictedProfile other, Basis madeFrom) {
        return new JobLearning(learned, other, noise, drift, expected, madeFrom);
    }

    /**
     * Step time that was expected when an allocation began.
     *
     * @param generation number of the allocation
     * @param batch global batch size
     * @param seconds step time in seconds, above 0
     */
    public record ExpectedStepTime(long generation, int batch, double seconds) {
        /** Returns the expected step time after a lasting change. */
        public ExpectedStepTime after(Drift change) {
            return new ExpectedStepTime(generation, batch, seconds * change.factor());
        }
    }

    /**
     * Versions of the inputs of the predictions, in addition to the job itself.
     *
     * @param family version of the family of the job; 0 if it has none, or no job of the family was measured
     * @param cluster version of the cluster
     */
    public record Basis(long family, long cluster) {
        /** Basis of predictions that new measurements have made obsolete. No version of a cluster is 0. */
        public static final Basis OUTDATED = new Basis(0, 0);
    }
}
