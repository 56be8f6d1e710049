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
 * @param stated the submitted profile, which may be empty or wrong
 * @param reported measurements of its runs
 * @param batch its batch sizes, which determine the passes of a step
 */
public record PredictionInput(
        @Nullable String family, ThroughputProfile stated, List<TypedObservation> reported, BatchLimits batch) {
    public PredictionInput {
        reported = List.copyOf(reported);
    }

    /** Returns the stated profile without assumed points. */
    ThroughputProfile knownProfile() {
        return stated.isAssumed() ? new ThroughputProfile(List.of(), List.of()) : stated;
    }
}
