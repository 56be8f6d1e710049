package dev.spur.solver.candidate;

import dev.spur.model.cluster.Node;
import dev.spur.model.job.HostDemand;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shapes that idle nodes of one pool and accelerator type hold, as the candidates of a round have them. */
public final class IdleShapes {
    private IdleShapes() {}

    /**
     * Returns the shape of the largest gang, in descending order; empty if no node holds a slot.
     *
     * @param demand host demand of each slot
     * @param maxNodes maximum number of its nodes; null for no limit
     * @param wholeNodes whether a gang on several nodes takes whole nodes of one size
     */
    public static List<Integer> largest(
            Collection<Node> nodes, HostDemand demand, @Nullable Integer maxNodes, boolean wholeNodes) {
        int most = maxNodes == null ? Integer.MAX_VALUE : maxNodes;
        NodeSizes all = sizes(nodes, demand);
        if (!wholeNodes) {
            return all.largest(most);
        }
        List<Integer> best = all.largest(1);
        for (int slots : nodes.stream().mapToInt(Node::slots).distinct().toArray()) {
            NodeSizes alike =
                    sizes(nodes.stream().filter(node -> node.slots() == slots).toList(), demand);
            List<Integer> whole = new ArrayList<>(alike.largest(most));
            whole.removeIf(piece -> piece < slots);
            best = (long) whole.size() * slots > sum(best) ? List.copyOf(whole) : best;
        }
        return best;
    }

    private static NodeSizes sizes(Collection<Node> nodes, HostDemand demand) {
        return NodeSizes.of(nodes.stream().mapToInt(demand::slotsOn).toArray());
    }

    private static long sum(List<Integer> shape) {
        return shape.stream().mapToLong(Integer::longValue).sum();
    }
}
