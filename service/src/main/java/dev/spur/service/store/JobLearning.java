package dev.spur.service.store;

import dev.spur.prediction.efficiency.NoiseScale;
import dev.spur.prediction.job.PredictedProfile;
import dev.spur.prediction.online.Drift;
import dev.spur.prediction.online.LearnedSpeed;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the speed of one job beside what it stated.
 *
 * @param learned what it reported
 * @param predicted its speeds in the shapes that rounds may ask for
 * @param noise gradient noise scale, smoothed over what was reported
 * @param drift the last lasting change that was noticed; null if none was
 * @param expected seconds of a step that its reports are held against; null before the first one
 * @param basis what the predictions were made from
 */
public record JobLearning(
        LearnedSpeed learned,
        PredictedProfile predicted,
        NoiseScale noise,
        @Nullable Drift drift,
        @Nullable ExpectedStepTime expected,
        Basis basis) {
    /** Of a job that has taught nothing yet, and has to be predicted. */
    public static JobLearning nothing(PredictedProfile stated) {
        return new JobLearning(LearnedSpeed.NOTHING, stated, NoiseScale.UNKNOWN, null, null, Basis.OUTDATED);
    }

    /** The same with other predictions. */
    public JobLearning predicted(PredictedProfile other, Basis madeFrom) {
        return new JobLearning(learned, other, noise, drift, expected, madeFrom);
    }

    /**
     * Seconds of a step that were expected when an allocation began.
     *
     * @param generation of the allocation
     * @param batch global batch size
     * @param seconds above 0
     */
    public record ExpectedStepTime(long generation, int batch, double seconds) {
        /** What is expected once a lasting change is known. */
        public ExpectedStepTime after(Drift change) {
            return new ExpectedStepTime(generation, batch, seconds * change.factor());
        }
    }

    /**
     * What predictions were made from, beside the job itself.
     *
     * @param families version of the families
     * @param cluster version of the cluster
     */
    public record Basis(long families, long cluster) {
        /** Of predictions that were made before the job taught something new: no version is 0. */
        public static final Basis OUTDATED = new Basis(0, 0);
    }
}
