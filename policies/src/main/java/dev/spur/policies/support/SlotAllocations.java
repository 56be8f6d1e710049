package dev.spur.policies.support;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Slots handed out by count, lane by lane, before anybody looks for places. Jobs that may not be touched have what they
 * hold from the beginning. What is granted first is placed first among what is equally large.
 */
public final class SlotAllocations {
    private final RoundView snapshot;
    private final int[] free;
    private final int[] slots;
    private final double[] aggregation;
    private final @Nullable NodePartition[] lane;
    private final List<Integer> order = new ArrayList<>();

    public SlotAllocations(RoundView snapshot) {
        this.snapshot = snapshot;
        free = snapshot.lanes().stream().mapToInt(NodePartition::slots).toArray();
        slots = new int[snapshot.jobs()];
        aggregation = new double[slots.length];
        lane = new NodePartition[slots.length];
        boolean cordoned = snapshot.hasCordonedNodes();
        for (int j = 0; j < slots.length; j++) {
            NodePartition held = snapshot.heldLane(j);
            if (snapshot.isPinned(j)) {
                slots[j] = snapshot.held(j);
                lane[j] = held;
                if (held != null) {
                    free[held.index()] -= snapshot.heldOnOpen(j);
                }
            } else if (cordoned && held != null && snapshot.mayStay(j)) {
                free[held.index()] += snapshot.heldOnCordoned(j);
            }
        }
    }

    /** A copy with which something can be tried. */
    private SlotAllocations(SlotAllocations other) {
        snapshot = other.snapshot;
        free = other.free.clone();
        slots = other.slots.clone();
        aggregation = other.aggregation.clone();
        lane = other.lane.clone();
        order.addAll(other.order);
    }

    /** A copy with which something can be tried. */
    public SlotAllocations copy() {
        return new SlotAllocations(this);
    }

    public RoundView snapshot() {
        return snapshot;
    }

    /** Slots that nobody has been granted. */
    public int free(NodePartition of) {
        return free[of.index()];
    }

    /** True if no lane has a slot left. */
    public boolean isFull() {
        for (int left : free) {
            if (left > 0) {
                return false;
            }
        }
        return true;
    }

    /** Slots granted to job {@code j}; 0 if it waits. */
    public int slots(int j) {
        return slots[j];
    }

    /** Aggregation slots granted to job {@code j}; 0 leaves the choice to the placement. */
    public double aggregation(int j) {
        return aggregation[j];
    }

    /** The lane of job {@code j}; null if it waits. */
    public @Nullable NodePartition lane(int j) {
        return lane[j];
    }

    /** The lane of job {@code j}, which has slots. */
    public NodePartition laneOf(int j) {
        NodePartition own = lane[j];
        if (own == null) {
            throw new IllegalStateException(
                    "job %s has no lane".formatted(snapshot.job(j).id()));
        }
        return own;
    }

    /** Jobs that were granted slots and may be touched, in the order of their first grants. */
    public List<Integer> order() {
        return order.stream().filter(j -> slots[j] > 0).toList();
    }

    /** True if job {@code j} may still be decided on. */
    public boolean isOpen(int j) {
        return !snapshot.isPinned(j);
    }

    /**
     * Gives job {@code j}, which has nothing yet, its first {@code count} slots: in the lane in which it runs, or else
     * in the fastest that has them. Returns whether it got them.
     */
    public boolean give(int j, int count) {
        if (count <= 0) {
            return false;
        }
        NodePartition best = null;
        double most = 0;
        NodePartition held = snapshot.heldLane(j);
        if (held != null && snapshot.mayOnlyStay(j) && count == snapshot.held(j)) {
            return give(j, held, count);
        }
        List<NodePartition> open = snapshot.lanesOf(j);
        for (NodePartition candidate : open) {
            if (free[candidate.index()] < count) {
                continue;
            }
            if (candidate.equals(held) || open.size() == 1) {
                return give(j, candidate, count);
            }
            double goodput = snapshot.goodput(j, candidate, count);
            if (goodput > most) {
                most = goodput;
                best = candidate;
            }
        }
        return best != null && give(j, best, count);
    }

    /**
     * Gives job {@code j}, which has nothing yet, {@code count} slots of {@code of}. Returns whether it got them; 0
     * slots are none.
     */
    public boolean give(int j, NodePartition of, int count) {
        if (count <= 0 || free[of.index()] < count || snapshot.isPinned(j)) {
            return false;
        }
        free[of.index()] -= count;
        slots[j] = count;
        lane[j] = of;
        order.add(j);
        return true;
    }

    /**
     * Changes the slots of job {@code j} to {@code count}, at least 1, in its lane. Returns whether there were enough.
     */
    public boolean resize(int j, int count) {
        int more = count - slots[j];
        int at = laneOf(j).index();
        if (free[at] < more || snapshot.isPinned(j)) {
            return false;
        }
        free[at] -= more;
        slots[j] = count;
        return true;
    }

    /** Sets the aggregation slots of job {@code j}; whoever grants them sees to it that the pool has them. */
    public void serve(int j, double aggregationSlots) {
        aggregation[j] = aggregationSlots;
    }

    /** Takes back what job {@code j} was given. */
    public void take(int j) {
        if (slots[j] > 0 && !snapshot.isPinned(j)) {
            free[laneOf(j).index()] += slots[j];
            slots[j] = 0;
            aggregation[j] = 0;
            lane[j] = null;
            order.remove((Integer) j);
        }
    }
}
