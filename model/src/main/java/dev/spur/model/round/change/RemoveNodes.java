package dev.spur.model.round.change;

import dev.spur.model.Checks;
import dev.spur.model.round.LostNodes;
import dev.spur.model.round.RoundProblem;
import java.util.List;

/**
 * Fewer nodes; what runs on them stops.
 *
 * @param nodes ids of the nodes
 */
public record RemoveNodes(List<String> nodes) implements Change {
    public RemoveNodes {
        nodes = Checks.copy(nodes);
        Checks.require(!nodes.isEmpty(), "nodes must not be empty");
    }

    @Override
    public RoundProblem applyTo(RoundProblem problem, HeldBack held) {
        new Fit(problem, held).nodes(nodes).demand();
        return LostNodes.stopJobs(problem.onlyOn(problem.nodes().stream()
                .filter(node -> !nodes.contains(node.id()))
                .toList()));
    }

    @Override
    public String words() {
        return "remove the nodes " + String.join(", ", nodes);
    }
}
