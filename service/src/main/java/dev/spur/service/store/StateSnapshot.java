package dev.spur.service.store;

import dev.spur.model.job.Job;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.whatif.WithheldJobs;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The live state at one time.
 *
 * @param problem what a round may decide on
 * @param held jobs that are held back, as the problem would show them
 * @param awaiting by id of each held job that nothing but its data holds back, the preparations that it waits for
 * @param stamps by id of each job of the problem, in which state it was seen
 * @param preparations all that wait or run, also those that no round may start now
 * @param settings the settings in force
 * @param part which part of the state this is; null for all of it
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
     * What one planning domain plans.
     *
     * @param domain its name
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

    /** The state as one that is not divided. */
    StateSnapshot(
            RoundProblem problem,
            List<Job> held,
            Map<String, List<String>> awaiting,
            Map<String, JobVersion> stamps,
            List<StoredPreparation> preparations,
            Settings settings) {
        this(problem, held, awaiting, stamps, preparations, settings, null);
    }

    /** What no round may start, as changes may release it. */
    public WithheldJobs heldBack() {
        return new WithheldJobs(
                held,
                preparations.stream()
                        .filter(StoredPreparation::heldBack)
                        .map(preparation -> preparation.offered(problem.now()))
                        .toList());
    }

    /** Name of the planning domain whose part this is; null if it is the whole state. */
    public @Nullable String domain() {
        return part == null ? null : part.domain();
    }

    /** True if another planning domain plans the node. */
    public boolean isForeign(String node) {
        return part != null && part.foreign().contains(node);
    }
}
