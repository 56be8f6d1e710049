package dev.spur.model.round.change;

import dev.spur.model.Checks;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.Job;
import dev.spur.model.round.LostNodes;
import dev.spur.model.round.RoundProblem;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

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
    public RoundProblem applyTo(RoundProblem problem, List<Job> held) {
        Set<String> known = new HashSet<>();
        problem.nodes().forEach(node -> known.add(node.id()));
        for (String id : nodes) {
            Checks.require(known.contains(id), "node %s does not exist", id);
        }
        List<Node> rest = problem.nodes().stream()
                .filter(node -> !nodes.contains(node.id()))
                .toList();
        return LostNodes.stopJobs(problem.withNodes(rest));
    }

    @Override
    public String words() {
        return "remove the nodes " + String.join(", ", nodes);
    }
}
