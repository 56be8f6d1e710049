package dev.spur.solver.explain;

import dev.spur.model.job.Job;
import dev.spur.model.round.Deferral;
import dev.spur.model.round.ReasonToken;
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
    public static List<Deferral> told(RoundProblem problem, List<Deferral> deferrals) {
        Set<String> refused = new HashSet<>();
        deferrals.stream()
                .filter(deferral -> deferral.reason() == ReasonToken.NEVER_FITS)
                .forEach(deferral -> refused.add(deferral.jobId()));
        if (refused.isEmpty()) {
            return deferrals;
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
        return deferrals.stream()
                .map(deferral -> fitting.contains(deferral.jobId()) ? held(deferral) : deferral)
                .toList();
    }

    private static Deferral held(Deferral deferral) {
        return new Deferral(
                deferral.jobId(), ReasonToken.HOST_RESOURCES, null, null, null, deferral.position(), SENTENCE);
    }
}
