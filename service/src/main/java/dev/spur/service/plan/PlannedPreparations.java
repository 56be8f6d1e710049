package dev.spur.service.plan;

import dev.spur.model.Checks;
import dev.spur.model.dataprep.PreparationAllocation;
import dev.spur.model.json.Rfc3339;
import dev.spur.model.round.PendingPreparation;
import dev.spur.model.round.PendingReason;
import dev.spur.model.round.SolutionQuality;
import dev.spur.service.dataprep.StoredPreparation;
import java.util.HashSet;
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
public record PlannedPreparations(List<Entry> running, List<PendingPreparation> waiting, SolutionQuality quality) {
    public PlannedPreparations {
        running = Checks.copy(running);
        waiting = Checks.copy(waiting);
    }

    /**
     * A running preparation.
     *
     * @param preparationId the preparation
     * @param generation number of its start
     * @param grant its memory grant
     * @param slowDown its duration as a multiple of that with the whole working set in the memory of its node
     * @param utility its part of the objective value of all preparations
     * @param message why it runs in this allocation
     */
    public record Entry(
            String preparationId,
            long generation,

            @JsonSerialize(using = Rfc3339.GrantSerializer.class)
            @JsonDeserialize(using = Rfc3339.GrantDeserializer.class)
            PreparationAllocation grant,

            double slowDown,
            double utility,
            String message) {}

    /** Ids of all preparations. */
    Set<String> ids() {
        Set<String> ids = new HashSet<>();
        running.forEach(entry -> ids.add(entry.preparationId()));
        waiting.forEach(pending -> ids.add(pending.preparationId()));
        return ids;
    }

    /** These with {@code own} only. */
    PlannedPreparations only(Set<String> own) {
        return new PlannedPreparations(
                running.stream()
                        .filter(entry -> own.contains(entry.preparationId()))
                        .toList(),
                waiting.stream()
                        .filter(pending -> own.contains(pending.preparationId()))
                        .toList(),
                quality);
    }

    /** The entry of a running preparation. */
    public Optional<Entry> entry(String id) {
        return running.stream()
                .filter(entry -> entry.preparationId().equals(id))
                .findFirst();
    }

    /** The entry of a waiting preparation. */
    public Optional<PendingPreparation> pending(String id) {
        return waiting.stream()
                .filter(pending -> pending.preparationId().equals(id))
                .findFirst();
    }

    /** Why a preparation waits: as in the current plan {@code said}, or because of later events. */
    public static PendingPreparation why(StoredPreparation waits, Optional<PlannedPreparations> said) {
        return heldBack(waits, 1)
                .or(() -> said.flatMap(all -> all.pending(waits.id())))
                .orElseGet(() -> pending(
                        waits, PendingReason.NOT_EVALUATED, 1, "No round has evaluated it yet; the next one will."));
    }

    /** Why no round may start a preparation; empty if one may. */
    public static Optional<PendingPreparation> heldBack(StoredPreparation waits, int position) {
        if (waits.held()) {
            return Optional.of(pending(waits, PendingReason.HELD, position, "It is held and must be released."));
        }
        return waits.pauses()
                ? Optional.of(pending(
                        waits, PendingReason.BACKOFF, position, "It failed and starts again after its backoff."))
                : Optional.empty();
    }

    /** A pending reason that is not a resource. */
    public static PendingPreparation pending(
            StoredPreparation waits, PendingReason reason, int position, String sentence) {
        return new PendingPreparation(waits.id(), reason, null, null, null, position, sentence);
    }
}
