package dev.spur.prediction.job;

import dev.spur.model.job.BatchLimits;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.prediction.speed.TypedObservation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The data on one job.
 *
 * @param family name of its family; null if it has none
 * @param statedProfile the submitted profile, which may be empty or wrong
 * @param observations measurements of its runs
 * @param batch its batch sizes, which determine the passes of a step
 */
public record PredictionInput(
        @Nullable String family,
        ThroughputProfile statedProfile,
        List<TypedObservation> observations,
        BatchLimits batch) {
    public PredictionInput {
        observations = List.copyOf(observations);
    }

    /** Returns the stated profile without assumed points. */
    ThroughputProfile knownProfile() {
        return statedProfile.isAssumed() ? new ThroughputProfile(List.of(), List.of()) : statedProfile;
    }
}
