package dev.spur.model.whatif;

import dev.spur.model.Checks;
import dev.spur.model.round.NodeLossHandling;
import dev.spur.model.round.RoundProblem;
import java.util.List;

/**
 * The removal of nodes, which stops the jobs on them.
 *
 * @param nodes ids of the nodes
 */
public record RemoveNodes(List<String> nodes) implements Change {
    public RemoveNodes {
        nodes = Checks.copy(nodes);
        Checks.require(!nodes.isEmpty(), "nodes must not be empty");
    }

    @Override
    public RoundProblem applyTo(RoundProblem problem, WithheldJobs withheldJobs) {
        new ChangeValidator(problem, withheldJobs).nodes(nodes).throwIfInvalid();
        return NodeLossHandling.stopJobs(problem.onlyOn(problem.nodes().stream()
                .filter(node -> !nodes.contains(node.id()))
                .toList()));
    }

    @Override
    public String describe() {
        return "remove the nodes " + String.join(", ", nodes);
    }
}
