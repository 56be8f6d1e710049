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
    public RoundProblem applyTo(RoundProblem problem, WithheldJobs held) {
        ChangeValidator validator = new ChangeValidator(problem, held);
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
        return "add "
                + nodes.stream()
                        .map(node -> "node %s with %d slots%s and %s aggregation slots in pool %s"
                                .formatted(
                                        node.id(),
                                        node.slots(),
                                        node.acceleratorType() == null ? "" : " of type " + node.acceleratorType(),
                                        node.aggregationSlots(),
                                        node.pool()))
                        .collect(Collectors.joining(", "));
    }
}
