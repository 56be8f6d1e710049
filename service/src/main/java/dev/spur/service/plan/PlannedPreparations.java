package dev.spur.service.plan;

import dev.spur.model.Checks;
import dev.spur.model.preparation.Grant;
import dev.spur.model.round.Deferral;
import dev.spur.model.round.Proof;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a published plan says of the jobs that prepare data.
 *
 * @param running those that run, by id
 * @param waiting those that wait, by position among themselves
 * @param proof how good the decision on them is known to be, beside the training jobs of the plan
 */
public record PlannedPreparations(List<Entry> running, List<Deferral> waiting, Proof proof) {
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
     * @param slowDown time that it takes there, as a multiple of that with the whole working set in the memory of its node
     * @param worth its part of the worth of all preparations
     * @param sentence why it runs so, for people
     */
    public record Entry(
            String preparationId, long generation, Grant grant, double slowDown, double worth, String sentence) {}

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
                proof);
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
}
