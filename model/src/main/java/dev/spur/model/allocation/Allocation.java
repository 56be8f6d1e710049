package dev.spur.model.allocation;

import dev.spur.model.Checks;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The resources allocated to a job: a configuration, and its devices and aggregation slots.
 *
 * @param configuration the configuration in which the job runs
 * @param placement its shares of nodes, one per node, in the order of ranks
 * @param aggregation its aggregation shares, by node; empty for AllReduce
 * @param since start of this allocation, seconds on the clock of the problem
 */
public record Allocation(
        Configuration configuration, List<NodeShare> placement, List<AggregationShare> aggregation, double since) {
    public Allocation {
        placement = Checks.copy(placement);
        aggregation = Checks.copy(aggregation);
        Set<String> nodes = new HashSet<>();
        for (NodeShare share : placement) {
            Checks.require(nodes.add(share.node()), "node %s appears twice in a placement", share.node());
        }
    }

    /** Returns this allocation with {@code host} granted of its hosts; null grants the job's own host demand. */
    public Allocation withHost(@Nullable HostGrant host) {
        return withConfiguration(configuration.withHost(host));
    }

    /**
     * Returns true if {@code other} runs the same configuration on the same devices. The aggregation shares and the
     * host grant may differ, because neither change stops the job.
     */
    public boolean sameRunAs(Allocation other) {
        return configuration.equalsButForHost(other.configuration) && sameDevicesAs(other);
    }

    /** Returns true if {@code other} holds the same devices and differs in batch size, and in nothing that stops it. */
    public boolean differsInBatchOnly(Allocation other) {
        Configuration heldConfiguration = other.configuration;
        return configuration.batchSize() != heldConfiguration.batchSize()
                && configuration
                        .withBatch(heldConfiguration.batchSize(), heldConfiguration.accumulationSteps())
                        .equalsButForHost(heldConfiguration)
                && sameDevicesAs(other);
    }

    /**
     * Returns true if both use AllReduce on the same pool and type, and the first device of {@code other} is among
     * these: its process can stay rank 0 while the others change, on any number of nodes.
     */
    public boolean keepsRankZeroOf(Allocation other) {
        NodeShare held = other.placement.get(0);
        return configuration.rescalesTo(other.configuration)
                && devicesOn(held.node()).contains(held.devices().get(0));
    }

    /** Returns the devices on {@code node} in the order of ranks; empty if there are none. */
    public List<String> devicesOn(String node) {
        return placement.stream()
                .filter(share -> share.node().equals(node))
                .findFirst()
                .map(NodeShare::devices)
                .orElse(List.of());
    }

    /** Returns true if no device is part of {@code other} as well. */
    public boolean isDisjointFrom(Allocation other) {
        Map<String, Set<String>> held = other.devicesByNode();
        return placement.stream()
                .allMatch(share -> Collections.disjoint(held.getOrDefault(share.node(), Set.of()), share.devices()));
    }

    /**
     * Returns this allocation with the nodes that {@code other} holds as well first, and likewise their devices, in the
     * order there: the ranks of a training that {@link #keepsRankZeroOf keeps rank 0}.
     */
    public Allocation inRankOrderOf(Allocation other) {
        List<String> nodes = heldFirst(
                placement.stream().map(NodeShare::node).toList(),
                other.placement.stream().map(NodeShare::node).toList());
        List<NodeShare> ordered = nodes.stream()
                .map(node -> new NodeShare(node, heldFirst(devicesOn(node), other.devicesOn(node))))
                .toList();
        return new Allocation(configuration, ordered, aggregation, since);
    }

    private static List<String> heldFirst(List<String> names, List<String> held) {
        List<String> ordered = new ArrayList<>(held);
        ordered.retainAll(names);
        names.stream().filter(name -> !held.contains(name)).forEach(ordered::add);
        return ordered;
    }

    /** Returns the rank that each rank has in {@code other}; null for a device that is not part of it. */
    public List<@Nullable Integer> ranksIn(Allocation other) {
        Map<DeviceKey, Integer> ranks = new HashMap<>();
        other.deviceKeys().forEach(device -> ranks.put(device, ranks.size()));
        List<@Nullable Integer> before = new ArrayList<>();
        deviceKeys().forEach(device -> before.add(ranks.get(device)));
        return before;
    }

    /** A device of a node. */
    private record DeviceKey(String node, String device) {}

    /** Returns the devices in the order of ranks. */
    private Stream<DeviceKey> deviceKeys() {
        return placement.stream()
                .flatMap(share -> share.devices().stream().map(device -> new DeviceKey(share.node(), device)));
    }

    private boolean sameDevicesAs(Allocation other) {
        return placement.equals(other.placement) || devicesByNode().equals(other.devicesByNode());
    }

    /** Returns the devices by node. Their order, which is that of the ranks, is no part of a run. */
    private Map<String, Set<String>> devicesByNode() {
        Map<String, Set<String>> devices = new HashMap<>();
        placement.forEach(share -> devices.put(share.node(), Set.copyOf(share.devices())));
        return devices;
    }

    /** Returns this allocation with {@code other} as configuration. */
    public Allocation withConfiguration(Configuration other) {
        return configuration.equals(other) ? this : new Allocation(other, placement, aggregation, since);
    }
}
