package dev.spur.model.whatif;

import dev.spur.model.Checks;
import dev.spur.model.cluster.Node;
import dev.spur.model.round.RoundProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Additional nodes.
 *
 * @param nodes the nodes, none of which exists yet
 */
public record AddNodes(List<Node> nodes) implements Change {
    public AddNodes {
        nodes = Checks.copy(nodes);
        Checks.require(!nodes.isEmpty(), "nodes must not be empty");
    }

    @Override
    public RoundProblem applyTo(RoundProblem problem, WithheldJobs withheldJobs) {
        ChangeValidator validator = new ChangeValidator(problem, withheldJobs);
        List<Node> all = new ArrayList<>(problem.nodes());
        for (int i = 0; i < nodes.size(); i++) {
            Node node = nodes.get(i);
            String place = "/nodes/" + i;
            validator
                    .require(
                            !NamedLists.has(all, Node::id, node.id()),
                            place + "/id",
                            "node %s already exists",
                            node.id())
                    .pool(place + "/pool", node.pool())
                    .type(place + "/acceleratorType", node.acceleratorType());
            all.add(node);
        }
        validator.throwIfInvalid();
        return problem.withNodes(all);
    }

    @Override
    public String describe() {
        return "add " + nodes.stream().map(AddNodes::text).collect(Collectors.joining(", "));
    }

    private static String text(Node node) {
        List<String> parts = new ArrayList<>();
        if (node.slots() > 0) {
            String type = node.acceleratorType() == null ? "" : " of type " + node.acceleratorType();
            parts.add(node.slots() + (node.slots() == 1 ? " slot" : " slots") + type);
        }
        if (node.aggregationSlots() > 0) {
            parts.add(node.aggregationSlots() + " aggregation slots");
        }
        return "node %s %s in pool %s"
                .formatted(
                        node.id(),
                        parts.isEmpty() ? "without slots" : "with " + String.join(" and ", parts),
                        node.pool());
    }
}
