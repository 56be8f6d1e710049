package dev.spur.solver.placement;

import dev.spur.model.cluster.Node;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.HostDemand;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.ClusterIndex;
import dev.spur.solver.candidate.NodeAccess;
import dev.spur.solver.candidate.NodeAtom;
import dev.spur.solver.candidate.NodeClass;
import dev.spur.solver.placement.ResourceDemand.DeviceShare;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Free slots, CPUs and memory of each node while jobs are placed one by one, with an index of the nodes of each class
 * by free slots. A device that some job shares is not free; the room on shared devices is indexed too. It counts the
 * CPUs that aggregators may take in each pool. CPUs and memory are in {@link HostUnits}.
 */
public final class ResidualCluster {
    /** Equal cost of all nodes that hold a piece: the fullest one is taken. */
    public static final PieceCost FREE = (v, piece, demand) -> 0;

    private final ClusterIndex clusterIndex;
    private final int[] slots;
    private final long[] cpus;
    private final long[] memory;
    /** Nodes by class and number of free slots. */
    private final BitSet[][] byFree;

    private final int[] slotsOfClass;
    private final int[] slotsOfAtom;
    private final SharedRooms rooms;
    private final NodeSearch nodeSearch;
    private final AggregatorCpus aggregatorCpus;

    /**
     * Creates the empty cluster without aggregators, regardless of node states: a kept job may be on a node that
     * accepts no jobs.
     */
    public ResidualCluster(ClusterIndex clusterIndex) {
        this(clusterIndex, AggregatorCpus.none());
    }

    /**
     * Creates the cluster with the aggregators of pinned jobs only.
     *
     * @param aggregatorCpus CPUs that aggregators may take; counts the free CPUs from here on
     */
    ResidualCluster(ClusterIndex clusterIndex, AggregatorCpus aggregatorCpus) {
        this.clusterIndex = clusterIndex;
        this.aggregatorCpus = aggregatorCpus;
        List<Node> nodes = clusterIndex.nodes();
        slots = nodes.stream().mapToInt(Node::slots).toArray();
        cpus = nodes.stream().mapToLong(node -> HostUnits.supply(node.cpus())).toArray();
        aggregatorCpus.takePinned(cpus);
        aggregatorCpus.count(cpus);
        memory = nodes.stream()
                .mapToLong(node -> HostUnits.supply(node.memoryGiB()))
                .toArray();
        byFree = new BitSet[clusterIndex.classes().size()][];
        slotsOfClass = new int[byFree.length];
        rooms = new SharedRooms(clusterIndex);
        nodeSearch = new NodeSearch(this, clusterIndex);
        slotsOfAtom = clusterIndex.atoms().stream()
                .mapToInt(atom -> atom.nodes().stream().mapToInt(v -> slots[v]).sum())
                .toArray();
        for (NodeClass nodeClass : clusterIndex.classes()) {
            BitSet[] own = new BitSet[nodeClass.maxNodeSlots() + 1];
            Arrays.setAll(own, free -> new BitSet());
            nodeClass.nodes().forEach(v -> own[slots[v]].set(v));
            byFree[nodeClass.index()] = own;
            slotsOfClass[nodeClass.index()] = nodeClass.slots();
        }
    }

    /** Removes all limits of CPUs and memory. */
    void ignoreHosts() {
        Arrays.fill(cpus, Long.MAX_VALUE);
        Arrays.fill(memory, Long.MAX_VALUE);
        aggregatorCpus.count(cpus);
    }

    /** Returns the CPUs for aggregators. */
    AggregatorCpus aggregatorCpus() {
        return aggregatorCpus;
    }

    /** Returns the CPUs of node {@code v} that aggregators may take next to the placed jobs, in units. */
    public long aggregatorCpuUnitsOn(int v) {
        return aggregatorCpuUnitsOn(v, 0);
    }

    /** Returns the CPUs of aggregators that stay on node {@code v}, in units. */
    public long fixedAggregatorCpuUnitsOn(int v) {
        return aggregatorCpus.minimumOn(v);
    }

    /** Returns the same where slots take {@code used} more CPUs, in units. */
    public long aggregatorCpuUnitsOn(int v, long used) {
        return aggregatorCpus.on(v, cpus[v] - used);
    }

    /** Returns how many CPUs aggregators lose to {@code demand} on {@code on}, a node for each piece, in units. */
    long aggregatorCpuUnitsLost(ResourceDemand demand, int[] on) {
        long lost = 0;
        for (int i = 0; demand.cpuUnits() > 0 && i < on.length; i++) {
            lost += aggregatorCpus.loss(on[i], cpus[on[i]], demand.pieces()[i] * demand.cpuUnits());
        }
        return lost;
    }

    /** Returns the free slots of node {@code v}. */
    public int slots(int v) {
        return slots[v];
    }

    /** Returns the free host CPUs of node {@code v}, in units; 0 also where pinned jobs exceed the host. */
    public long cpuUnits(int v) {
        return Math.max(0, cpus[v]);
    }

    /** Returns the free host memory of node {@code v}, in units; 0 also where pinned jobs exceed the host. */
    public long memoryUnits(int v) {
        return Math.max(0, memory[v]);
    }

    /** Returns the free host CPUs of node {@code v}. */
    public double cpus(int v) {
        return HostUnits.amount(cpuUnits(v));
    }

    /** Returns the free host memory of node {@code v}, GiB. */
    public double memory(int v) {
        return HostUnits.amount(memoryUnits(v));
    }

    /** Returns the free slots over the nodes of a class. */
    public int slots(NodeClass nodeClass) {
        return slotsOfClass[nodeClass.index()];
    }

    /**
     * Returns the free slots over the nodes of a class that {@code candidate} may take. For a share, these contain the
     * nodes with room for it on a shared device, one slot for each.
     */
    public int slots(Candidate candidate) {
        NodeAccess access = candidate.access();
        int sum = candidate.parts() == Elasticity.PARTS
                ? 0
                : (int) rooms.nodesFor(candidate).count();
        if (access.isWhole()) {
            return slotsOfClass[candidate.nodeClass()] + sum;
        }
        for (NodeAtom atom : clusterIndex.classes().get(candidate.nodeClass()).atoms()) {
            sum += access.containsAtom(atom.index()) ? slotsOfAtom[atom.index()] : 0;
        }
        return sum;
    }

    /**
     * Returns false if the free slots of its nodes exclude {@code candidate}, which is not kept: a test that needs no
     * {@link ResourceDemand}.
     */
    public boolean mayHold(Candidate candidate) {
        return candidate.parts() < Elasticity.PARTS
                ? slots(candidate) > 0
                : slotsOfClass[candidate.nodeClass()] >= candidate.slots()
                        && mostFree(candidate.nodeClass())
                                >= candidate.configuration().shape().get(0)
                        && slots(candidate) >= candidate.slots();
    }

    /** Returns the free slots of the node of class {@code k} with the most; 0 if none is free. */
    private int mostFree(int k) {
        int free = byFree[k].length - 1;
        while (free > 0 && byFree[k][free].isEmpty()) {
            free--;
        }
        return free;
    }

    /** Returns the index of the atom of node {@code v}. */
    public int atom(int v) {
        return clusterIndex.atomOf(v);
    }

    /** Returns the slots of the largest node of class {@code k}. */
    int largestNode(int k) {
        return byFree[k].length - 1;
    }

    /** Returns the nodes of class {@code k} with exactly {@code free} free slots; not to be changed. */
    BitSet nodesWith(int k, int free) {
        return byFree[k][free];
    }

    /**
     * Returns whether node {@code v} has {@code piece} free slots and the host resources for them next to the
     * aggregators of the pool.
     */
    public boolean holds(int v, int piece, HostDemand host) {
        return holds(v, piece, HostUnits.demand(host.cpusPerSlot()), HostUnits.demand(host.memoryGiBPerSlot()));
    }

    /** Returns the same for a piece of {@code demand}. */
    public boolean holds(int v, int piece, ResourceDemand demand) {
        DeviceShare share = demand.share();
        return share == null
                ? holds(v, piece, demand.cpuUnits(), demand.memoryUnits())
                : (slots[v] > 0 || rooms.holds(v, share)) && hostHolds(v, 1, demand.cpuUnits(), demand.memoryUnits());
    }

    /** Returns whether node {@code v} has the host resources for {@code piece} slots. */
    public boolean hostHolds(int v, int piece, HostDemand host) {
        return hostHolds(v, piece, HostUnits.demand(host.cpusPerSlot()), HostUnits.demand(host.memoryGiBPerSlot()));
    }

    private boolean hostHolds(int v, int piece, long cpusPerSlot, long memoryPerSlot) {
        return Math.max(0, cpus[v]) >= piece * cpusPerSlot
                && Math.max(0, memory[v]) >= piece * memoryPerSlot
                && aggregatorCpus.keepEnough(v, cpus[v], piece * cpusPerSlot);
    }

    private boolean holds(int v, int piece, long cpusPerSlot, long memoryPerSlot) {
        return slots[v] >= piece && hostHolds(v, piece, cpusPerSlot, memoryPerSlot);
    }

    /** Returns whether jobs share more devices of node {@code v} than it has. */
    boolean isExceeded(int v) {
        return slots[v] < 0 && !rooms.on(v).isEmpty();
    }

    /** Returns the room on the shared devices of each node. */
    public SharedRooms rooms() {
        return rooms;
    }

    /**
     * Returns whether node {@code v} holds the piece once other pieces have left it; aggregators do not count.
     *
     * @param moreSlots whole devices that leave
     * @param sharing jobs that leave shared devices
     */
    public boolean holdsWith(
            int moreSlots,
            List<Integer> sharing,
            long moreCpus,
            long moreMemory,
            int v,
            int piece,
            ResourceDemand demand) {
        int free = slots[v] + moreSlots + rooms.freed(v, sharing);
        DeviceShare share = demand.share();
        boolean hasRoom = share != null && rooms.holdsWithout(v, sharing, share);
        return (hasRoom || free >= piece)
                && Math.max(0, cpus[v] + moreCpus) >= piece * demand.cpuUnits()
                && Math.max(0, memory[v] + moreMemory) >= piece * demand.memoryUnits();
    }

    /** Returns whether {@code on}, a node for each piece, holds the demand. */
    public boolean hold(int[] on, ResourceDemand demand) {
        for (int i = 0; i < on.length; i++) {
            if (!holds(on[i], demand.pieces()[i], demand)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns the nodes of {@code demand}: its fixed ones, or for each piece the cheapest node; null if they do not
     * hold it.
     */
    public int @Nullable [] nodesFor(ResourceDemand demand, PieceCost cost) {
        return nodeSearch.nodesFor(demand, cost);
    }

    /**
     * Returns the cheapest node that holds the piece, none of the first {@code count} of {@code taken}; among equally
     * cheap ones the fullest. Returns -1 if none holds it. Of many nodes with equal free slots only some are compared.
     */
    public int cheapest(int piece, ResourceDemand demand, PieceCost cost, int[] taken, int count) {
        return nodeSearch.cheapest(piece, demand, cost, taken, count);
    }

    /** Returns whether the first {@code count} of {@code nodes} contain {@code v}. */
    public static boolean contains(int[] nodes, int count, int v) {
        for (int i = 0; i < count; i++) {
            if (nodes[i] == v) {
                return true;
            }
        }
        return false;
    }

    /** Takes {@code piece} slots from node {@code v}; returns them if {@code piece} is negative. */
    void take(int v, int piece, HostDemand host) {
        take(v, piece, HostUnits.demand(host.cpusPerSlot()), HostUnits.demand(host.memoryGiBPerSlot()));
    }

    /** Takes the pieces of {@code demand} from {@code on}, a node for each. */
    void take(ResourceDemand demand, int[] on) {
        for (int i = 0; i < on.length; i++) {
            move(on[i], demand.pieces()[i], demand, 1);
        }
    }

    /** Returns the pieces of {@code demand} to {@code on}, a node for each. */
    void giveBack(ResourceDemand demand, int[] on) {
        for (int i = 0; i < on.length; i++) {
            move(on[i], demand.pieces()[i], demand, -1);
        }
    }

    /** Takes {@code piece} slots of {@code demand} from node {@code v}; returns them if {@code sign} is -1. */
    void move(int v, int piece, ResourceDemand demand, int sign) {
        DeviceShare share = demand.share();
        if (share == null) {
            take(v, sign * piece, demand.cpuUnits(), demand.memoryUnits());
            return;
        }
        takeDevices(v, sign > 0 ? rooms.add(v, available(v, share)) : -rooms.remove(v, share));
        takeHost(v, sign * demand.cpuUnits(), sign * demand.memoryUnits());
    }

    /** Blocks node {@code v} for further jobs; returns the number of slots that were free. */
    public int block(int v) {
        int free = slots[v];
        take(v, free, 0, 0);
        rooms.block(v);
        return free;
    }

    /** Returns {@code share} on any device if the one that it prefers has no room and cannot be taken. */
    private DeviceShare available(int v, DeviceShare share) {
        boolean isFree = !rooms.contains(v, share.device()) && slots[v] > 0;
        return share.device() >= SharedDevices.ANY || isFree || rooms.holds(v, share)
                ? share
                : new DeviceShare(share.job(), share.parts(), SharedDevices.ANY);
    }

    private void take(int v, int piece, long cpusPerSlot, long memoryPerSlot) {
        takeDevices(v, piece);
        takeHost(v, piece * cpusPerSlot, piece * memoryPerSlot);
    }

    private void takeDevices(int v, int count) {
        change(v, count);
        if (count > 0 && slots[v] < 0) {
            // The order in which jobs came and left decides how many devices they share.
            change(v, -rooms.compress(v, -slots[v]));
        }
    }

    private void change(int v, int count) {
        int left = slots[v] - count;
        int k = clusterIndex.classOf(v);
        if (k >= 0) {
            // Free slots are below 0 only while pinned jobs exceed the node.
            if (slots[v] >= 0) {
                byFree[k][slots[v]].clear(v);
            }
            if (left >= 0) {
                byFree[k][left].set(v);
            }
            slotsOfClass[k] -= count;
            slotsOfAtom[clusterIndex.atomOf(v)] -= count;
        }
        slots[v] = left;
    }

    private void takeHost(int v, long cpuUnits, long memoryUnits) {
        aggregatorCpus.change(v, cpus[v], cpus[v] - cpuUnits);
        cpus[v] -= cpuUnits;
        memory[v] -= memoryUnits;
    }
}
