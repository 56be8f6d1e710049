package dev.spur.service.plan;

import java.util.List;

/**
 * The part of a plan for one node.
 *
 * @param node id of the node
 * @param revision revision of the plan with which this part last changed
 * @param assignments assignments of the node, by job id
 */
record NodeAssignments(String node, long revision, List<NodeAssignment> assignments) {
    public NodeAssignments {
        assignments = List.copyOf(assignments);
    }
}
