package dev.spur.solver.explain;

import dev.spur.model.job.Job;
import dev.spur.model.round.PendingJob;
import dev.spur.model.round.PendingReason;
import dev.spur.model.round.RoundProblem;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Correction of reasons that were found on the resources that running preparations leave: their resources are in use
 * for a time only.
 */
public final class PreparationAwareReasons {
    private static final String MESSAGE = "Preparations of data hold the host CPU and memory that it needs.";

    private PreparationAwareReasons() {}

    /**
     * Returns the same entries without {@code UNSATISFIABLE} for jobs that fit when no preparation runs.
     *
     * @param problem with whole hosts
     * @param pendingJobs entries found on hosts without the resources of preparations
     */
    public static List<PendingJob> correct(RoundProblem problem, List<PendingJob> pendingJobs) {
        Set<String> refused = new HashSet<>();
        pendingJobs.stream()
                .filter(pending -> pending.reason() == PendingReason.UNSATISFIABLE)
                .forEach(pending -> refused.add(pending.jobId()));
        if (refused.isEmpty()) {
            return pendingJobs;
        }
        List<Job> jobs = problem.jobs().stream()
                .filter(job -> refused.contains(job.id()))
                .toList();
        CandidateSet candidates = CandidateGenerator.generate(problem.withJobs(jobs));
        Set<String> fitting = new HashSet<>();
        for (int j = 0; j < candidates.jobs(); j++) {
            if (candidates.end(j) > candidates.first(j)) {
                fitting.add(candidates.job(j).id());
            }
        }
        return pendingJobs.stream()
                .map(pending -> fitting.contains(pending.jobId()) ? preparationReason(pending) : pending)
                .toList();
    }

    private static PendingJob preparationReason(PendingJob pending) {
        return new PendingJob(
                pending.jobId(),
                PendingReason.INSUFFICIENT_HOST_RESOURCES,
                null,
                null,
                null,
                pending.queuePosition(),
                MESSAGE);
    }
}
