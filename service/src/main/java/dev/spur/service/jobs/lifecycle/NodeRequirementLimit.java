package dev.spur.service.jobs.lifecycle;

import dev.spur.model.cluster.NodeRequirement;
import dev.spur.model.job.Elasticity;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.validation.Violation;
import dev.spur.service.jobs.JobStore;
import dev.spur.service.web.contract.FieldError;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Limit of the different requirements on nodes of active jobs, and of a problem in a request. Rounds of 1,000 jobs are
 * measured with 64 of them.
 */
public final class NodeRequirementLimit {
    private static final int MAX = 64;

    private NodeRequirementLimit() {}

    /**
     * Returns the errors of a job with the requirements and preference of {@code elasticity}; empty if rounds can plan
     * them.
     */
    public static List<FieldError> errors(JobStore jobs, Elasticity elasticity) {
        List<FieldError> errors = new ArrayList<>();
        long added = 0;
        for (Map.Entry<String, List<NodeRequirement>> stated :
                requirements(elasticity).entrySet()) {
            long others = jobs.otherNodeRequirements(stated.getValue());
            if (others + added >= MAX) {
                errors.add(FieldError.at(
                        stated.getKey(),
                        "must equal those of an active job: active jobs have %d different requirements, the most that rounds plan."
                                        .formatted(MAX)
                                + " Require a label that several jobs share"));
            }
            added += others > 0 ? 1 : 0;
        }
        return errors;
    }

    private static Map<String, List<NodeRequirement>> requirements(Elasticity elasticity) {
        Map<String, List<NodeRequirement>> stated = new LinkedHashMap<>();
        stated.put("/spec/elasticity/nodes", elasticity.nodes());
        if (elasticity.preferredNodes() != null) {
            stated.put(
                    "/spec/elasticity/preferredNodes/requirements",
                    elasticity.preferredNodes().requirements());
        }
        stated.values().removeIf(List::isEmpty);
        return stated;
    }

    /** Returns the violation of a problem in a request with too many different requirements; empty if there is none. */
    public static List<Violation> violations(RoundProblem problem) {
        long found = problem.jobs().stream()
                .flatMap(job -> requirements(job.spec().elasticity()).values().stream())
                .distinct()
                .count();
        return found <= MAX
                ? List.of()
                : List.of(new Violation(
                        "requirementsOnNodesAreFew",
                        "/jobs",
                        "have %d different requirements in elasticity.nodes and preferredNodes; a request may have at most %d. Use labels that several jobs share"
                                .formatted(found, MAX)));
    }
}
