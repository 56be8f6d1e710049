package dev.spur.service.jobs.lifecycle;

import dev.spur.model.cluster.NodeRequirement;
import dev.spur.service.jobs.JobStore;
import dev.spur.service.web.contract.FieldError;
import java.util.List;

/**
 * Limit of the different requirements on nodes of active jobs. A round of 1,000 jobs on 500 nodes had a gap of 2 % with
 * 8 of them, and of 37 % with 20.
 */
public final class NodeRequirementLimit {
    private static final int MAX = 8;

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
}
