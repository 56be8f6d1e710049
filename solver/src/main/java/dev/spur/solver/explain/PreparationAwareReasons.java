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
 * Puts reasons right that were found on what running preparations leave: what they hold is held for a time, not gone
 * for good.
 */
public final class PreparationAwareReasons {
    private static final String SENTENCE = "Preparations of data hold the host CPU and memory that it needs.";

    private PreparationAwareReasons() {}

    /**
     * The same deferrals, in which nobody never fits who would fit if nothing were prepared.
     *
     * @param problem with whole hosts
     * @param deferrals found on hosts without what preparations hold
     */
    public static List<PendingJob> told(RoundProblem problem, List<PendingJob> pendingJobs) {
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
                .map(pending -> fitting.contains(pending.jobId()) ? held(pending) : pending)
                .toList();
    }

    private static PendingJob held(PendingJob pending) {
        return new PendingJob(
                pending.jobId(),
                PendingReason.INSUFFICIENT_HOST_RESOURCES,
                null,
                null,
                null,
                pending.queuePosition(),
                SENTENCE);
    }
}
