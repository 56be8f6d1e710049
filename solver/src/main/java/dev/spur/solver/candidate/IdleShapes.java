package dev.spur.solver.candidate;

import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.TopologyDomain;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.HostDemand;
import dev.spur.model.job.Roles;
import dev.spur.model.job.TopologyRequest;
import dev.spur.model.performance.HostLevel;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

    /**
     * Returns the same shape within the maximum number of nodes and the domain of the topology of {@code elasticity},
     * with {@code level} of host resources for each slot and with {@code roles}.
     */
    public static List<Integer> largestWithin(
            Elasticity elasticity, Collection<Node> nodes, HostLevel level, Roles roles, boolean wholeNodes) {
        HostDemand ofRank = HostDemand.of(level);
        List<Integer> shape = largestWithin(elasticity, nodes, ofRank, wholeNodes);
        HostDemand tried = ofRank;
        HostDemand next = ofRank.plus(roles.largestShare(shape));
        while (!shape.isEmpty() && !next.equals(tried)) {
            tried = next;
            shape = largestWithin(elasticity, nodes, tried, wholeNodes);
            next = tried.max(ofRank.plus(roles.largestShare(shape)));
        }
        return shape;
    }

    private static List<Integer> largestWithin(
            Elasticity elasticity, Collection<Node> nodes, HostDemand demand, boolean wholeNodes) {
        TopologyRequest topology = elasticity.topology();
        if (topology == null || !topology.requiresDomain()) {
            return largest(nodes, demand, elasticity.maxNodes(), wholeNodes);
        }
        Map<TopologyDomain, List<Node>> domains = new LinkedHashMap<>();
        for (Node node : nodes) {
            TopologyDomain domain = topology.level().domainOf(node);
            if (domain != null) {
                domains.computeIfAbsent(domain, d -> new ArrayList<>()).add(node);
            }
        }
        List<Integer> best = largest(nodes, demand, 1, wholeNodes);
        for (List<Node> own : domains.values()) {
            List<Integer> shape = largest(own, demand, elasticity.maxNodes(), wholeNodes);
            best = sum(shape) > sum(best) ? shape : best;
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
