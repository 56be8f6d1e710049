package dev.spur.service.snapshot;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.Job;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.whatif.WithheldJobs;
import dev.spur.service.dataprep.StoredPreparation;
import dev.spur.service.settings.Settings;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Live state at one time.
 *
 * @param problem input of a round
 * @param held held jobs, in the form of the input
 * @param awaiting preparations of each held job that waits for nothing else, by job id
 * @param stamps version of each job of the input, by job id
 * @param preparations all waiting and running preparations, also those that rounds must not start
 * @param settings current settings
 * @param part part of the state that the snapshot covers; null for the whole state
 */
public record StateSnapshot(
        RoundProblem problem,
        List<Job> held,
        Map<String, List<String>> awaiting,
        Map<String, JobVersion> stamps,
        List<StoredPreparation> preparations,
        Settings settings,
        @Nullable Part part) {
    /**
     * Part of the state that one planning domain plans.
     *
     * @param foreign ids of the nodes of all other domains
     */
    public record Part(String domain, Set<String> foreign) {
        public Part {
            foreign = Set.copyOf(foreign);
        }
    }

    public StateSnapshot {
        held = List.copyOf(held);
        awaiting = Map.copyOf(awaiting);
        stamps = Map.copyOf(stamps);
        preparations = List.copyOf(preparations);
    }

    /** Creates a snapshot of the whole state. */
    StateSnapshot(
            RoundProblem problem,
            List<Job> held,
            Map<String, List<String>> awaiting,
            Map<String, JobVersion> stamps,
            List<StoredPreparation> preparations,
            Settings settings) {
        this(problem, held, awaiting, stamps, preparations, settings, null);
    }

    /** Returns the jobs and preparations that rounds must not start, but that a what-if change may release. */
    public WithheldJobs heldBack() {
        return new WithheldJobs(
                held,
                preparations.stream()
                        .filter(StoredPreparation::heldBack)
                        .map(preparation -> preparation.afterRelease(problem.now()))
                        .toList());
    }

    /** Returns the name of the planning domain of this part; null for the whole state. */
    public @Nullable String domain() {
        return part == null ? null : part.domain();
    }

    /** Returns true if another planning domain plans the node. */
    public boolean isForeign(String node) {
        return part != null && part.foreign().contains(node);
    }

    /**
     * State of a job in a snapshot. Publication compares it with the current state.
     *
     * @param generation number of the allocation
     * @param specVersion number of the specification
     * @param allocation allocation in the row, also on lost nodes; null if there is none
     */
    public record JobVersion(
            long generation, long specVersion, @Nullable Allocation allocation) {}
}
