package dev.spur.policies.support;

import dev.spur.model.cluster.AcceleratorType;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.cluster.Pool;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.tenant.Tenant;
import dev.spur.solver.candidate.ClusterIndex;
import dev.spur.solver.candidate.NodeClass;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The nodes of a round, by partition. */
final class NodePartitions {
    /** Most recent partitions: a replay decides hundreds of thousands of times on the same nodes. */
    private static final AtomicReference<@Nullable NodePartitions> LAST = new AtomicReference<>();

    private final List<AcceleratorType> types;
    private final List<Node> nodes;
    private final List<Pool> pools;
    private final List<Tenant> tenants;
    private final ClusterIndex clusterIndex;
    private final List<NodePartition> partitions = new ArrayList<>();
    private final Map<String, Map<String, NodePartition>> partitionOf = new HashMap<>();
    private final boolean cordoned;

    private NodePartitions(RoundProblem problem) {
        types = problem.acceleratorTypes();
        nodes = problem.nodes();
        pools = problem.pools();
        tenants = problem.tenants();
        clusterIndex = new ClusterIndex(problem);
        cordoned = nodes.stream().anyMatch(node -> node.state() == NodeState.CORDONED);
        build();
    }

    /** Returns the partitions of {@code problem}. */
    static NodePartitions of(RoundProblem problem) {
        if (!problem.reservations().isEmpty() || !problem.maintenance().isEmpty()) {
            // reservations and maintenance begin and end with time
            return new NodePartitions(problem);
        }
        NodePartitions last = LAST.get();
        if (last != null
                && areSame(last.nodes, problem.nodes())
                && areSame(last.types, problem.acceleratorTypes())
                && areSame(last.pools, problem.pools())
                && areSame(last.tenants, problem.tenants())) {
            return last;
        }
        NodePartitions fresh = new NodePartitions(problem);
        LAST.set(fresh);
        return fresh;
    }

    /**
     * Returns true if two lists hold the same objects. Comparing contents would cost as much as building the
     * partitions.
     */
    @SuppressWarnings("ReferenceEquality")
    private static <T> boolean areSame(List<T> a, List<T> b) {
        if (a == b) {
            return true;
        }
        if (a.size() != b.size()) {
            return false;
        }
        for (int i = 0; i < a.size(); i++) {
            if (a.get(i) != b.get(i)) {
                return false;
            }
        }
        return true;
    }

    private void build() {
        Map<List<String>, List<NodeClass>> alike = new LinkedHashMap<>();
        for (NodeClass nodeClass : clusterIndex.classes()) {
            alike.computeIfAbsent(List.of(nodeClass.pool(), nodeClass.acceleratorType()), k -> new ArrayList<>())
                    .add(nodeClass);
        }
        alike.forEach((key, classes) -> {
            NodeClass first = classes.get(0);
            int nodeSlots =
                    classes.stream().mapToInt(NodeClass::maxNodeSlots).max().orElse(1);
            add(first.pool(), first.acceleratorType(), nodeSlots, classes);
        });
        for (Node node : clusterIndex.nodes()) {
            String type = node.acceleratorType();
            if (type != null && node.slots() > 0 && of(node.pool(), type) == null) {
                add(node.pool(), type, node.slots(), List.of());
            }
        }
    }

    private void add(String pool, String type, int nodeSlots, List<NodeClass> classes) {
        int slots = classes.stream().mapToInt(NodeClass::slots).sum();
        List<Integer> nodes =
                classes.stream().flatMap(c -> c.nodes().stream()).sorted().toList();
        NodePartition partition = new NodePartition(partitions.size(), pool, type, slots, nodeSlots, nodes, classes);
        partitions.add(partition);
        partitionOf.computeIfAbsent(pool, p -> new HashMap<>()).put(type, partition);
    }

    ClusterIndex clusterIndex() {
        return clusterIndex;
    }

    /** Returns the partitions in the order of their first nodes; those without nodes for new jobs come last. */
    List<NodePartition> all() {
        return partitions;
    }

    /** Returns the partition of {@code pool} and {@code type}; null if it does not exist. */
    @Nullable
    NodePartition of(String pool, String type) {
        return partitionOf.getOrDefault(pool, Map.of()).get(type);
    }

    /** Returns true if a node accepts no new job but lets running jobs stay. */
    boolean hasCordonedNodes() {
        return cordoned;
    }
}
