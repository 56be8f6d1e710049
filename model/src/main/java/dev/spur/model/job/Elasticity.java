package dev.spur.model.job;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.spur.model.Checks;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodePreference;
import dev.spur.model.cluster.NodeRequirement;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of slots and the types, pools and nodes on which a job may run.
 *
 * @param acceleratorTypes allowed types; empty for every type in its profile
 * @param pools allowed pools; empty for all
 * @param minSlots minimum slots, at least 1
 * @param maxSlots maximum slots, at least {@code minSlots}
 * @param powersOfTwo true if only powers of two are allowed
 * @param allowedCounts the only allowed counts, if not empty; counts outside the limits are ignored
 * @param maxNodes maximum nodes; null for no limit
 * @param consolidate true if the job may only run on the minimum number of nodes that hold its slots, as models with a
 *     skewed tensor size distribution require (Tiresias)
 * @param nodes requirements on each of its nodes; empty for none
 * @param topology how close its nodes should be to each other; null if it does not matter
 * @param preferredNodes nodes that it prefers; null if it prefers none
 * @param deviceShare share of one device that the job takes, from 0.01 to 0.99, resolution 0.01; null for whole
 *     devices. A job with a share has one slot
 */
public record Elasticity(
        List<String> acceleratorTypes,
        List<String> pools,
        int minSlots,
        int maxSlots,
        boolean powersOfTwo,
        List<Integer> allowedCounts,
        @Nullable Integer maxNodes,
        boolean consolidate,
        List<NodeRequirement> nodes,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable TopologyRequest topology,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable NodePreference preferredNodes,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double deviceShare) {
    /** Parts of a whole device: the resolution of shares. */
    public static final int PARTS = 100;

    @JsonCreator
    public Elasticity {
        acceleratorTypes = Checks.copy(acceleratorTypes);
        pools = Checks.copy(pools);
        allowedCounts = Checks.copy(allowedCounts).stream().distinct().sorted().toList();
        Checks.atLeast("minSlots", minSlots, 1);
        Checks.require(maxSlots >= minSlots, "maxSlots (%s) must be at least minSlots (%s)", maxSlots, minSlots);
        Checks.require(maxNodes == null || maxNodes >= 1, "maxNodes (%s) must be at least 1", maxNodes);
        nodes = Checks.copy(nodes);
        if (deviceShare != null) {
            Checks.require(
                    deviceShare >= 0.01 && deviceShare <= 0.99 && isPart(deviceShare),
                    "deviceShare (%s) must be from 0.01 to 0.99 in steps of 0.01",
                    deviceShare);
            Checks.require(
                    maxSlots == 1, "maxSlots (%s) must be 1 for a job with a deviceShare (%s)", maxSlots, deviceShare);
        }
    }

    private static boolean isPart(double share) {
        return Math.abs(share * PARTS - Math.round(share * PARTS)) < 1e-9;
    }

    /** An elasticity of whole devices without requirements on nodes and their topology, and without preferences. */
    public Elasticity(
            List<String> acceleratorTypes,
            List<String> pools,
            int minSlots,
            int maxSlots,
            boolean powersOfTwo,
            List<Integer> allowedCounts,
            @Nullable Integer maxNodes,
            boolean consolidate) {
        this(
                acceleratorTypes,
                pools,
                minSlots,
                maxSlots,
                powersOfTwo,
                allowedCounts,
                maxNodes,
                consolidate,
                List.of(),
                null,
                null,
                null);
    }

    /** Returns this elasticity with the limits {@code min} and {@code max} of slots. */
    public Elasticity withSlots(int min, int max) {
        return with(pools, min, max, nodes, topology, preferredNodes, deviceShare);
    }

    /** Returns this elasticity with the requirements {@code others} on each node. */
    public Elasticity withNodes(List<NodeRequirement> others) {
        return with(pools, minSlots, maxSlots, others, topology, preferredNodes, deviceShare);
    }

    /** Returns this elasticity with another request for close nodes; null if it does not matter. */
    public Elasticity withTopology(@Nullable TopologyRequest other) {
        return with(pools, minSlots, maxSlots, nodes, other, preferredNodes, deviceShare);
    }

    /** Returns this elasticity with another preference for nodes; null if there is none. */
    public Elasticity withPreferredNodes(@Nullable NodePreference other) {
        return with(pools, minSlots, maxSlots, nodes, topology, other, deviceShare);
    }

    /** Returns this elasticity with another share of its device; null for whole devices. */
    public Elasticity withDeviceShare(@Nullable Double other) {
        return with(pools, minSlots, maxSlots, nodes, topology, preferredNodes, other);
    }

    /** Returns the parts of each of its devices that the job takes, of {@link #PARTS}. */
    public int partsPerDevice() {
        return deviceShare == null ? PARTS : (int) Math.round(deviceShare * PARTS);
    }

    /** Returns this elasticity in other pools. */
    public Elasticity withPools(List<String> others) {
        return with(others, minSlots, maxSlots, nodes, topology, preferredNodes, deviceShare);
    }

    private Elasticity with(
            List<String> newPools,
            int min,
            int max,
            List<NodeRequirement> newNodes,
            @Nullable TopologyRequest newTopology,
            @Nullable NodePreference newPreference,
            @Nullable Double newShare) {
        return new Elasticity(
                acceleratorTypes,
                newPools,
                min,
                max,
                powersOfTwo,
                allowedCounts,
                maxNodes,
                consolidate,
                newNodes,
                newTopology,
                newPreference,
                newShare);
    }

    /** Returns an elasticity of any count from {@code min} to {@code max} on every type and pool. */
    public static Elasticity between(int min, int max) {
        return new Elasticity(List.of(), List.of(), min, max, false, List.of(), null, false);
    }

    /** Returns the allowed slot counts up to {@code limit}, ascending. */
    public int[] counts(int limit) {
        int[] found = new int[32];
        int count = 0;
        for (long slots = minSlots; slots <= Math.min(maxSlots, limit); slots++) {
            if (allowsCount((int) slots)) {
                found = count < found.length ? found : Arrays.copyOf(found, 2 * count);
                found[count++] = (int) slots;
            }
        }
        return Arrays.copyOf(found, count);
    }

    /** Returns the minimum allowed slot count; empty if the limits exclude all counts. */
    public OptionalInt minCount() {
        if (allowedCounts.isEmpty()) {
            int smallest = powersOfTwo ? atLeastPowerOfTwo(minSlots) : minSlots;
            return allowsCount(smallest) ? OptionalInt.of(smallest) : OptionalInt.empty();
        }
        for (int count : allowedCounts) {
            if (allowsCount(count)) {
                return OptionalInt.of(count);
            }
        }
        return OptionalInt.empty();
    }

    private static int atLeastPowerOfTwo(int slots) {
        int highest = Integer.highestOneBit(slots);
        return highest == slots ? slots : highest << 1;
    }

    /** Returns true if the job runs on one number of slots only. */
    public boolean allowsOneCount() {
        return minSlots == maxSlots;
    }

    /** Returns true if a job may hold exactly {@code slots}. */
    public boolean allowsCount(int slots) {
        return slots >= minSlots
                && slots <= maxSlots
                && (!powersOfTwo || Integer.bitCount(slots) == 1)
                && (allowedCounts.isEmpty() || allowedCounts.contains(slots));
    }

    /** Returns true if a job may run on {@code type}, provided that its profile contains the type. */
    public boolean allowsType(String type) {
        return acceleratorTypes.isEmpty() || acceleratorTypes.contains(type);
    }

    /** Returns true if a job may run in {@code pool}. */
    public boolean allowsPool(String pool) {
        return pools.isEmpty() || pools.contains(pool);
    }

    /** Returns all requirements on each node: the stated ones, and that it shares devices if the job takes a share. */
    public List<NodeRequirement> requirements() {
        return deviceShare == null
                ? nodes
                : Stream.concat(nodes.stream(), Stream.of(NodeRequirement.SHARED_DEVICES))
                        .toList();
    }

    /** Returns true if {@code node} meets all requirements on each node. */
    public boolean allowsNode(Node node) {
        return NodeRequirement.allAdmit(requirements(), node);
    }

    /** Returns whether the job may run on {@code allNodes} together, as far as their topology matters. */
    public boolean allowsTogether(Collection<Node> allNodes) {
        return topology == null || !topology.requiresDomain() || topology.contains(allNodes);
    }

    /**
     * Returns the number of boundaries of the topology between {@code allNodes} that slow the job down: 0 without a
     * preference.
     */
    public int crossings(Collection<Node> allNodes) {
        return topology == null || topology.requiresDomain() ? 0 : topology.crossings(allNodes);
    }

    /** Returns the factor of the utility of a start or change to {@code allNodes}: 1 if it prefers all or none. */
    public double preferenceFactor(Collection<Node> allNodes) {
        return preferredNodes == null ? 1 : preferredNodes.factorOn(allNodes);
    }

    /** Returns true if a job may run on {@code count} nodes. */
    public boolean allowsNodes(int count) {
        return maxNodes == null || count <= maxNodes;
    }
}
