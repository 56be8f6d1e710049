package dev.spur.simulator.trace.synthetic;

import dev.spur.model.cluster.Node;
import dev.spur.model.job.HostDemand;
import dev.spur.model.performance.ThroughputProfile;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Capacity of the cluster, as needed to generate jobs. */
final class ClusterCapacity {
    /** Total slots and slots of the largest node, by type in the order of the nodes. */
    private final Map<String, int[]> slotsOf = new LinkedHashMap<>();

    /** CPUs and GiB per slot by type, on the node with the lowest values. */
    private final Map<String, HostDemand> demands = new HashMap<>();

    private final Map<SyntheticModel, ThroughputProfile> profiles = new HashMap<>();

    ClusterCapacity(List<Node> nodes) {
        for (Node node : nodes) {
            if (node.acceleratorType() != null && node.slots() > 0) {
                int[] slots = slotsOf.computeIfAbsent(node.acceleratorType(), type -> new int[2]);
                slots[0] += node.slots();
                slots[1] = Math.max(slots[1], node.slots());
                HostDemand demand = new HostDemand(node.cpus() / node.slots(), node.memoryGiB() / node.slots());
                demands.merge(node.acceleratorType(), demand, ClusterCapacity::min);
            }
        }
    }

    private static HostDemand min(HostDemand a, HostDemand b) {
        return new HostDemand(
                Math.min(a.cpusPerSlot(), b.cpusPerSlot()), Math.min(a.memoryGiBPerSlot(), b.memoryGiBPerSlot()));
    }

    /** Returns the CPUs and memory per slot of {@code type}, on the node with the lowest values. */
    HostDemand share(String type) {
        return demands.getOrDefault(type, HostDemand.NONE);
    }

    List<String> types() {
        return List.copyOf(slotsOf.keySet());
    }

    int slots(String type) {
        return slotsOf.getOrDefault(type, new int[2])[0];
    }

    int perNode(String type) {
        return Math.max(1, slotsOf.getOrDefault(type, new int[2])[1]);
    }

    /** Returns the number of slots of the type with the most slots. */
    int maxSlots() {
        return slotsOf.values().stream().mapToInt(slots -> slots[0]).max().orElse(0);
    }

    /** Returns the type with the most slots, the first of several. */
    String largestType() {
        return types().stream()
                .filter(type -> slots(type) == maxSlots())
                .findFirst()
                .orElseThrow();
    }

    int allSlots() {
        return slotsOf.values().stream().mapToInt(slots -> slots[0]).sum();
    }

    /** Returns the profile that all jobs of a model share. */
    ThroughputProfile profile(SyntheticModel model) {
        return profiles.computeIfAbsent(model, made -> made.profile(this));
    }
}
