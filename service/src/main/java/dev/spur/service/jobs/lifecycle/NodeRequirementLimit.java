package dev.spur.service.jobs.lifecycle;

import dev.spur.model.cluster.NodeRequirement;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.validation.Violation;
import dev.spur.service.jobs.JobStore;
import dev.spur.service.web.contract.FieldError;
import java.util.List;

/**
 * Limit of the different requirements on nodes of active jobs, and of a problem in a request. Rounds of 1,000 jobs are
 * measured with 64 of them.
 */
public final class NodeRequirementLimit {
    private static final int MAX = 64;

    private NodeRequirementLimit() {}

    /** Returns the error of a job with {@code requirements} on its nodes; empty if rounds can plan them. */
    public static List<FieldError> errors(JobStore jobs, List<NodeRequirement> requirements) {
        return requirements.isEmpty() || jobs.otherNodeRequirements(requirements) < MAX
                ? List.of()
                : List.of(FieldError.at(
                        "/spec/elasticity/nodes",
                        "must equal those of an active job: active jobs have %d different requirements, the most that rounds plan."
                                        .formatted(MAX)
                                + " Require a label that several jobs share"));
    }

    /** Returns the violation of a problem in a request with too many different requirements; empty if there is none. */
    public static List<Violation> violations(RoundProblem problem) {
        long found = problem.jobs().stream()
                .map(job -> job.spec().elasticity().nodes())
                .filter(requirements -> !requirements.isEmpty())
                .distinct()
                .count();
        return found <= MAX
                ? List.of()
                : List.of(new Violation(
                        "requirementsOnNodesAreFew",
                        "/jobs",
                        "have %d different requirements in elasticity.nodes; a request may have at most %d. Use labels that several jobs share"
                                .formatted(found, MAX)));
    }
}
