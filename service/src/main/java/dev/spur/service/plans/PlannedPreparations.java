package dev.spur.service.plans;

import dev.spur.model.Checks;
import dev.spur.model.dataprep.PreparationAllocation;
import dev.spur.model.json.Rfc3339;
import dev.spur.model.round.PendingJob;
import dev.spur.model.round.SolutionQuality;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.annotation.JsonSerialize;

/**
 * Data preparations in a published plan.
 *
 * @param running running preparations, by id
 * @param waiting waiting preparations, by queue position among themselves
 * @param quality quality of the solution for preparations, separate from the training jobs
 */
public record PlannedPreparations(List<Entry> running, List<PendingJob> waiting, SolutionQuality quality) {
    public PlannedPreparations {
        running = Checks.copy(running);
        waiting = Checks.copy(waiting);
    }

    /**
     * A running preparation.
     *
     * @param jobId the preparation
     * @param generation number of its start
     * @param grant its memory grant
     * @param slowDown its duration as a multiple of that with the whole working set in the memory of its node
     * @param utility its part of the objective value of all preparations
     * @param message why it runs in this allocation
     */
    public record Entry(
            String jobId,
            long generation,

            @JsonSerialize(using = Rfc3339.GrantSerializer.class)
            @JsonDeserialize(using = Rfc3339.GrantDeserializer.class)
            PreparationAllocation grant,

            double slowDown,
            double utility,
            String message) {}

    /** These with {@code own} only. */
    PlannedPreparations only(Set<String> own) {
        return new PlannedPreparations(
                running.stream().filter(entry -> own.contains(entry.jobId())).toList(),
                waiting.stream()
                        .filter(pending -> own.contains(pending.jobId()))
                        .toList(),
                quality);
    }

    /** The entry of a running preparation. */
    public Optional<Entry> entry(String id) {
        return running.stream().filter(entry -> entry.jobId().equals(id)).findFirst();
    }
}
