package dev.spur.simulator.replay;

import dev.spur.model.job.DependencyCondition;
import dev.spur.model.job.JobDependency;
import dev.spur.simulator.trace.TraceJob;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Jobs that wait for others in a replay. A simulated job never fails, so its end is a success. A dependency on a job
 * that the replay does not contain counts as met.
 */
final class SimulatedDependencies {
    private final Set<String> known;
    private final Set<String> startedJobs = new HashSet<>();
    private final Set<String> endedJobs = new HashSet<>();
    private final Map<String, TraceJob> blockedJobs = new LinkedHashMap<>();

    /** @param known ids of all jobs of the replay; a job that is present at its beginning is one of them */
    SimulatedDependencies(Set<String> known) {
        this.known = new HashSet<>(known);
    }

    /** Adds a job that is present at the beginning. */
    void addPresent(ActiveJob job) {
        known.add(job.id());
        if (job.hasStarted()) {
            startedJobs.add(job.id());
        }
    }

    /** Returns true if the job may arrive; otherwise it is kept until {@link #release}. */
    boolean admits(TraceJob job) {
        boolean admitted = isMet(job);
        if (!admitted) {
            blockedJobs.put(job.id(), job);
        }
        return admitted;
    }

    private boolean isMet(TraceJob job) {
        return job.dependencies().stream().allMatch(this::isMet);
    }

    private boolean isMet(JobDependency dependency) {
        String id = dependency.job();
        return !known.contains(id)
                || endedJobs.contains(id)
                || (dependency.when() == DependencyCondition.STARTED && startedJobs.contains(id));
    }

    /** Records the start of a job. Returns true if it may release another one. */
    boolean start(String id) {
        return startedJobs.add(id) && !blockedJobs.isEmpty();
    }

    /** Records the end of a job. Returns true if it may release another one. */
    boolean end(String id) {
        return endedJobs.add(id) && !blockedJobs.isEmpty();
    }

    /** Returns true if jobs wait for others. */
    boolean isBlocking() {
        return !blockedJobs.isEmpty();
    }

    /** Returns the jobs whose dependencies are met by now, and keeps them no longer. */
    List<TraceJob> release() {
        List<TraceJob> releasedJobs = new ArrayList<>();
        for (TraceJob job : List.copyOf(blockedJobs.values())) {
            if (isMet(job)) {
                releasedJobs.add(job);
                blockedJobs.remove(job.id());
            }
        }
        return releasedJobs;
    }
}
