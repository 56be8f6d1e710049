package dev.spur.simulator.trace.synthetic;

import dev.spur.model.cluster.Node;
import dev.spur.model.job.HostDemand;
import dev.spur.model.performance.ThroughputProfile;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The cluster as far as made-up jobs need to know it. */
final class ClusterCapacity {
    /** By type, in the order of the nodes: all slots, and those of the largest node. */
    private final Map<String, int[]> slotsOf = new LinkedHashMap<>();

    /** By type, CPUs and GiB of a slot on the node that has least. */
    private final Map<String, HostDemand> shares = new HashMap<>();

    private final Map<SyntheticModel, ThroughputProfile> profiles = new HashMap<>();

    ClusterCapacity(List<Node> nodes) {
        for (Node node : nodes) {
            if (node.acceleratorType() != null && node.slots() > 0) {
                int[] slots = slotsOf.computeIfAbsent(node.acceleratorType(), type -> new int[2]);
                slots[0] += node.slots();
                slots[1] = Math.max(slots[1], node.slots());
                HostDemand share = new HostDemand(node.cpus() / node.slots(), node.memoryGiB() / node.slots());
                shares.merge(node.acceleratorType(), share, ClusterCapacity::lesser);
            }
        }
    }

    private static HostDemand lesser(HostDemand a, HostDemand b) {
        return new HostDemand(
                Math.min(a.cpusPerSlot(), b.cpusPerSlot()), Math.min(a.memoryGiBPerSlot(), b.memoryGiBPerSlot()));
    }

    /** What there is of the hosts for each slot of {@code type}, on the node that has least. */
    HostDemand share(String type) {
        return shares.getOrDefault(type, HostDemand.NONE);
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

    /** Slots of the type that has most. */
    int mostSlots() {
        return slotsOf.values().stream().mapToInt(slots -> slots[0]).max().orElse(0);
    }

    /** The type that has most slots, the first of several. */
    String largestType() {
        return types().stream()
                .filter(type -> slots(type) == mostSlots())
                .findFirst()
                .orElseThrow();
    }

    int allSlots() {
        return slotsOf.values().stream().mapToInt(slots -> slots[0]).sum();
    }

    /** One profile for all jobs of a model. */
    ThroughputProfile profile(SyntheticModel model) {
        return profiles.computeIfAbsent(model, made -> made.profile(this));
    }
}
