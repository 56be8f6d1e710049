package dev.spur.model.whatif;

import dev.spur.model.Checks;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.round.NodeLossHandling;
import dev.spur.model.round.RoundProblem;
import java.util.Locale;

/**
 * Another state of a node; the state LOST stops the jobs on it.
 *
 * @param node id of the node
 * @param state its new state
 */
public record SetNodeState(String node, NodeState state) implements Change {
    public SetNodeState {
        Checks.nonBlank("node", node);
    }

    @Override
    public RoundProblem applyTo(RoundProblem problem, WithheldJobs withheldJobs) {
        new ChangeValidator(problem, withheldJobs).node(node).throwIfInvalid();
        return NodeLossHandling.stopJobs(problem.withNodes(problem.nodes().stream()
                .map(other -> other.id().equals(node) ? other.withState(state) : other)
                .toList()));
    }

    @Override
    public String describe() {
        return "set the state of node %s to %s".formatted(node, state.name().toLowerCase(Locale.ROOT));
    }
}
