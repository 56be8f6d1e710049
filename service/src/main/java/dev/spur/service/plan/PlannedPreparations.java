package dev.spur.service.plan;

import dev.spur.model.Checks;
import dev.spur.model.dataprep.PreparationAllocation;
import dev.spur.model.round.Deferral;
import dev.spur.model.round.ReasonToken;
import dev.spur.model.round.SolutionQuality;
import dev.spur.service.store.StoredPreparation;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a published plan says of the jobs that prepare data.
 *
 * @param running those that run, by id
 * @param waiting those that wait, by position among themselves
 * @param quality how good the decision on them is known to be, beside the training jobs of the plan
 */
public record PlannedPreparations(List<Entry> running, List<Deferral> waiting, SolutionQuality quality) {
    public PlannedPreparations {
        running = Checks.copy(running);
        waiting = Checks.copy(waiting);
    }

    /**
     * A preparation that runs.
     *
     * @param preparationId the preparation
     * @param generation number of its start
     * @param grant what it holds
     * @param slowDown time that it takes there, as a multiple of that with the whole working set in the memory of its
     *     node
     * @param utility its part of the worth of all preparations
     * @param sentence why it runs so, for people
     */
    public record Entry(
            String preparationId,
            long generation,
            PreparationAllocation grant,
            double slowDown,
            double utility,
            String sentence) {}

    /** Ids of all of them. */
    Set<String> ids() {
        Set<String> ids = new HashSet<>();
        running.forEach(entry -> ids.add(entry.preparationId()));
        waiting.forEach(deferral -> ids.add(deferral.jobId()));
        return ids;
    }

    /** This with {@code own} alone. */
    PlannedPreparations only(Set<String> own) {
        return new PlannedPreparations(
                running.stream()
                        .filter(entry -> own.contains(entry.preparationId()))
                        .toList(),
                waiting.stream()
                        .filter(deferral -> own.contains(deferral.jobId()))
                        .toList(),
                quality);
    }

    /** The entry of a preparation that runs. */
    public Optional<Entry> entry(String id) {
        return running.stream()
                .filter(entry -> entry.preparationId().equals(id))
                .findFirst();
    }

    /** Why a preparation waits. */
    public Optional<Deferral> deferral(String id) {
        return waiting.stream().filter(deferral -> deferral.jobId().equals(id)).findFirst();
    }

    /** Why a preparation that waits does so: as {@code said} by the current plan, or for what has happened since. */
    public static Deferral why(StoredPreparation waits, Optional<PlannedPreparations> said) {
        return heldBack(waits, 1)
                .or(() -> said.flatMap(all -> all.deferral(waits.id())))
                .orElseGet(() -> deferral(
                        waits, ReasonToken.NOT_EVALUATED_YET, 1, "No round has looked at it yet; the next one will."));
    }

    /** Why no round may start a preparation; empty if one may. */
    public static Optional<Deferral> heldBack(StoredPreparation waits, int position) {
        if (waits.held()) {
            return Optional.of(deferral(waits, ReasonToken.HOLD, position, "It is held until somebody releases it."));
        }
        return waits.pauses()
                ? Optional.of(
                        deferral(waits, ReasonToken.BACK_OFF, position, "It failed and pauses before it starts again."))
                : Optional.empty();
    }

    /** A deferral for a reason that is no resource. */
    public static Deferral deferral(StoredPreparation waits, ReasonToken reason, int position, String sentence) {
        return new Deferral(waits.id(), reason, null, null, null, position, sentence);
    }
}
