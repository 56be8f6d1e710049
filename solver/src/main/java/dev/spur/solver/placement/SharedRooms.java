package dev.spur.solver.placement;

import dev.spur.model.job.Elasticity;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.ClusterIndex;
import dev.spur.solver.placement.ResourceDemand.DeviceShare;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Shared devices of each node, with an index of the nodes of each class by the largest room on one device, in parts.
 */
public final class SharedRooms {
    private static final BitSet[] NONE = {};

    private final ClusterIndex clusterIndex;
    /** By node; null without any so far. */
    private final @Nullable SharedDevices[] shared;
    /** Nodes by class and largest room; {@link #NONE} without any so far. */
    private final BitSet[][] byRoom;

    SharedRooms(ClusterIndex clusterIndex) {
        this.clusterIndex = clusterIndex;
        shared = new SharedDevices[clusterIndex.nodes().size()];
        byRoom = new BitSet[clusterIndex.classes().size()][];
        Arrays.fill(byRoom, NONE);
    }

    /** Returns whether a shared device of node {@code v} has room for {@code share}. */
    boolean holds(int v, DeviceShare share) {
        SharedDevices own = shared[v];
        return own != null && own.hold(share.parts(), share.device());
    }

    /** Returns the free parts of each shared device of node {@code v} that has some, ascending. */
    public List<Integer> of(int v) {
        SharedDevices own = shared[v];
        return own == null ? List.of() : own.rooms();
    }

    /** Returns whether no shared device has room. */
    public boolean isFull() {
        return Arrays.stream(byRoom).flatMap(Arrays::stream).allMatch(BitSet::isEmpty);
    }

    /** Returns whether the device {@code number} of node {@code v} is shared. */
    boolean contains(int v, int number) {
        SharedDevices own = shared[v];
        return own != null && own.contain(number);
    }

    /** Returns the free parts of the shared devices of node {@code v} by number. */
    public Map<Integer, Integer> byDevice(int v) {
        Map<Integer, Integer> rooms = new TreeMap<>();
        on(v).forEach(room -> rooms.put(room.number(), room.parts()));
        return rooms;
    }

    /** Returns the shared devices of node {@code v}. */
    List<SharedDevices.Room> on(int v) {
        SharedDevices own = shared[v];
        return own == null ? List.of() : own.all();
    }

    /** Returns the free parts of the fullest shared device of node {@code v} with room for {@code parts}; or -1. */
    public int tightest(int v, int parts) {
        SharedDevices own = shared[v];
        return own == null ? -1 : own.tightestRoom(parts);
    }

    /** Returns the number of the shared device of job {@code j} on node {@code v}; below 0 for any device. */
    public int deviceOf(int v, int j) {
        return present(v).numberOf(j);
    }

    private SharedDevices present(int v) {
        return Objects.requireNonNull(shared[v], "no device is shared");
    }

    /** Returns the nodes of class {@code k} whose largest room is {@code room}, from 1 to 99; not to be changed. */
    BitSet nodesWith(int k, int room) {
        return byRoom[k] == NONE ? new BitSet() : byRoom[k][room];
    }

    /** Returns the nodes with room for {@code candidate}, a share; the fullest first. */
    IntStream nodesFor(Candidate candidate) {
        BitSet[] own = byRoom[candidate.nodeClass()];
        return IntStream.range(candidate.parts(), own.length)
                .flatMap(room -> own[room].stream())
                .filter(candidate.access()::contains);
    }

    /** Returns the devices of node {@code v} that {@code jobs} leave free by ending. */
    int freed(int v, List<Integer> jobs) {
        SharedDevices own = shared[v];
        return own == null || jobs.isEmpty()
                ? 0
                : own.size() - own.without(jobs).size();
    }

    /** Returns whether a shared device of node {@code v} has room for {@code share} without {@code jobs}. */
    boolean holdsWithout(int v, List<Integer> jobs, DeviceShare share) {
        SharedDevices own = shared[v];
        return own != null && own.without(jobs).hold(share.parts(), share.device());
    }

    /** Adds {@code share} to node {@code v}; returns the devices that it takes, 0 or 1. */
    int add(int v, DeviceShare share) {
        SharedDevices own = shared[v];
        if (own == null) {
            own = new SharedDevices();
            shared[v] = own;
        }
        index(v, own, false);
        boolean isFurther = own.add(share.job(), share.parts(), share.device());
        index(v, own, true);
        return isFurther ? 1 : 0;
    }

    /** Removes {@code share} from node {@code v}; returns the devices that are free then, 0 or 1. */
    int remove(int v, DeviceShare share) {
        SharedDevices own = present(v);
        index(v, own, false);
        boolean isFree = own.remove(share.job());
        index(v, own, true);
        return isFree ? 1 : 0;
    }

    /**
     * Moves shares between devices of node {@code v} so that at least {@code count} of them are free; returns how many
     * are, or 0 without a change.
     */
    int compress(int v, int count) {
        SharedDevices own = shared[v];
        if (own == null) {
            return 0;
        }
        index(v, own, false);
        int free = own.compress(count);
        index(v, own, true);
        return free;
    }

    /** Leaves no room on node {@code v}. */
    void block(int v) {
        SharedDevices own = shared[v];
        if (own != null) {
            index(v, own, false);
            own.fill();
        }
    }

    private void index(int v, SharedDevices own, boolean isIndexed) {
        int k = clusterIndex.classOf(v);
        int room = own.largestRoom();
        if (k < 0 || room <= 0) {
            return;
        }
        if (byRoom[k] == NONE) {
            BitSet[] nodes = new BitSet[Elasticity.PARTS];
            Arrays.setAll(nodes, r -> new BitSet());
            byRoom[k] = nodes;
        }
        byRoom[k][room].set(v, isIndexed);
    }
}
