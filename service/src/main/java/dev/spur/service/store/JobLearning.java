package dev.spur.service.store;

import dev.spur.prediction.job.PredictedProfile;
import dev.spur.prediction.online.Drift;
import dev.spur.prediction.online.LearnedSpeed;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the speed of one job beside what it stated.
 *
 * @param learned what it reported
 * @param predicted its speeds in the shapes that rounds may ask for
 * @param noiseScale gradient noise scale as last reported; null if it was never reported
 * @param drift the last lasting change that was noticed; null if none was
 * @param expected seconds of a step that its reports are held against; null before the first one
 * @param basis what the predictions were made from
 */
public record JobLearning(
        LearnedSpeed learned,
        PredictedProfile predicted,
        @Nullable Double noiseScale,
        @Nullable Drift drift,
        @Nullable Expected expected,
        Basis basis) {
    /**
     * Seconds of a step that were expected when an allocation began.
     *
     * @param generation of the allocation
     * @param batch global batch size
     * @param seconds above 0
     */
    public record Expected(long generation, int batch, double seconds) {}

    /**
     * What predictions were made from, beside the job itself.
     *
     * @param families version of the families
     * @param cluster version of the cluster
     */
    public record Basis(long families, long cluster) {}
}
