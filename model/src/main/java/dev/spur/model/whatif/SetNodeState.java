package dev.spur.model.whatif;

import dev.spur.model.Checks;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.round.NodeLossHandling;
import dev.spur.model.round.RoundProblem;
import java.util.Locale;

/**
 * Another state of a node; what runs on a node that is lost stops.
 *
 * @param node id of the node
 * @param state its new state
 */
public record SetNodeState(String node, NodeState state) implements Change {
    public SetNodeState {
        Checks.named("node", node);
    }

    @Override
    public RoundProblem applyTo(RoundProblem problem, WithheldJobs held) {
        new ChangeValidator(problem, held).node(node).demand();
        return NodeLossHandling.stopJobs(problem.withNodes(problem.nodes().stream()
                .map(other -> other.id().equals(node) ? other.withState(state) : other)
                .toList()));
    }

    @Override
    public String words() {
        return "make node %s %s".formatted(node, state.name().toLowerCase(Locale.ROOT));
    }
}
