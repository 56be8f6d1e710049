package dev.spur.prediction.job;

import dev.spur.model.job.BatchLimits;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.prediction.speed.TypedObservation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one job.
 *
 * @param family name of its family; null if it has none
 * @param stated the profile it came with, which may be empty, or wrong
 * @param reported what it measured while it ran
 * @param batch its batch sizes, which say how many passes a step takes
 */
public record PredictionInput(
        @Nullable String family, ThroughputProfile stated, List<TypedObservation> reported, BatchLimits batch) {
    public PredictionInput {
        reported = List.copyOf(reported);
    }
}
