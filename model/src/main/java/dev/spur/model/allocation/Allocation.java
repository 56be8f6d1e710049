package dev.spur.model.allocation;

import dev.spur.model.Checks;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
        Configuration held = other.configuration;
        return configuration.batchSize() != held.batchSize()
                && configuration
                        .withBatch(held.batchSize(), held.accumulationSteps())
                        .equalsButForHost(held)
                && sameDevicesAs(other);
    }

    /**
     * Returns true if {@code other} is on the same single node, both use AllReduce, and the first device of
     * {@code other} is among these: its process can stay rank 0 while the others change.
     */
    public boolean keepsRankZeroOf(Allocation other) {
        if (placement.size() != 1 || other.placement.size() != 1) {
            return false;
        }
        NodeShare held = other.placement.get(0);
        NodeShare here = placement.get(0);
        return configuration.rescalesTo(other.configuration)
                && here.node().equals(held.node())
                && here.devices().contains(held.devices().get(0));
    }

    /** Returns true if no device is part of {@code other} as well. */
    public boolean isDisjointFrom(Allocation other) {
        Map<String, Set<String>> held = other.devicesByNode();
        return placement.stream()
                .allMatch(share -> Collections.disjoint(held.getOrDefault(share.node(), Set.of()), share.devices()));
    }

    /**
     * Returns this allocation with the devices that {@code other} holds as well first, in their order there: the ranks
     * of a training that {@link #keepsRankZeroOf keeps rank 0}.
     */
    public Allocation inRankOrderOf(Allocation other) {
        List<String> held = other.placement.get(0).devices();
        List<String> ordered = new ArrayList<>(held);
        NodeShare here = placement.get(0);
        ordered.retainAll(here.devices());
        here.devices().stream().filter(device -> !held.contains(device)).forEach(ordered::add);
        return new Allocation(configuration, List.of(new NodeShare(here.node(), ordered)), aggregation, since);
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
