package dev.spur.service.store;

import dev.spur.model.job.Job;
import dev.spur.model.round.RoundProblem;
import java.util.List;
import java.util.Map;

/**
 * The live state at one time.
 *
 * @param problem what a round may decide on
 * @param held jobs that are held back, as the problem would show them
 * @param awaiting by id of each held job that nothing but its data holds back, the preparations that it waits for
 * @param stamps by id of each job of the problem, in which state it was seen
 * @param preparations all that wait or run, also those that no round may start now
 * @param settings the settings in force
 */
public record Snapshot(
        RoundProblem problem,
        List<Job> held,
        Map<String, List<String>> awaiting,
        Map<String, JobStamp> stamps,
        List<StoredPreparation> preparations,
        Settings settings) {
    public Snapshot {
        held = List.copyOf(held);
        awaiting = Map.copyOf(awaiting);
        stamps = Map.copyOf(stamps);
        preparations = List.copyOf(preparations);
    }
}
