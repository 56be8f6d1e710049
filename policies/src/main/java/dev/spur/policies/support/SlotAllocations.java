package dev.spur.policies.support;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Numbers of slots granted to jobs, by partition, before nodes are chosen. Pinned jobs hold their slots from the
 * beginning. Of grants of equal size, the earlier one is placed first.
 */
public final class SlotAllocations {
    private final RoundView view;
    private final int[] free;
    private final int[] slots;
    private final double[] aggregation;
    private final @Nullable NodePartition[] partition;
    private final List<Integer> order = new ArrayList<>();

    public SlotAllocations(RoundView view) {
        this.view = view;
        free = view.partitions().stream().mapToInt(NodePartition::slots).toArray();
        slots = new int[view.jobs()];
        aggregation = new double[slots.length];
        partition = new NodePartition[slots.length];
        boolean cordoned = view.hasCordonedNodes();
        for (int j = 0; j < slots.length; j++) {
            NodePartition heldPartition = view.heldPartition(j);
            if (view.isPinned(j)) {
                slots[j] = view.heldSlots(j);
                partition[j] = heldPartition;
                if (heldPartition != null) {
                    free[heldPartition.index()] -= view.heldOnOpen(j);
                }
            } else if (cordoned && heldPartition != null && view.mayStay(j)) {
                free[heldPartition.index()] += view.heldOnCordoned(j);
            }
        }
    }

    /** Copies the grants, to evaluate a change. */
    private SlotAllocations(SlotAllocations other) {
        view = other.view;
        free = other.free.clone();
        slots = other.slots.clone();
        aggregation = other.aggregation.clone();
        partition = other.partition.clone();
        order.addAll(other.order);
    }

    /** Returns a copy, to evaluate a change. */
    public SlotAllocations copy() {
        return new SlotAllocations(this);
    }

    public RoundView view() {
        return view;
    }

    /** Returns the slots of a partition that are not granted. */
    public int free(NodePartition partition) {
        return free[partition.index()];
    }

    /** Returns true if no partition has a free slot. */
    public boolean isFull() {
        for (int left : free) {
            if (left > 0) {
                return false;
            }
        }
        return true;
    }

    /** Returns the slots granted to job {@code j}; 0 if it waits. */
    public int slots(int j) {
        return slots[j];
    }

    /** Returns the aggregation slots granted to job {@code j}; 0 leaves the choice to the placement. */
    public double aggregation(int j) {
        return aggregation[j];
    }

    /** Returns the partition of job {@code j}; null if it waits. */
    public @Nullable NodePartition partition(int j) {
        return partition[j];
    }

    /** Returns the partition of job {@code j}, which must have slots. */
    public NodePartition partitionOf(int j) {
        NodePartition own = partition[j];
        if (own == null) {
            throw new IllegalStateException(
                    "job %s has no partition".formatted(view.job(j).id()));
        }
        return own;
    }

    /** Returns the jobs with grants that are not pinned, in the order of their first grants. */
    public List<Integer> order() {
        return order.stream().filter(j -> slots[j] > 0).toList();
    }

    /** Returns true if the grant of job {@code j} may change. */
    public boolean isOpen(int j) {
        return !view.isPinned(j);
    }

    /**
     * Grants job {@code j}, which has no slots, its first {@code count} slots: in the partition in which it runs,
     * otherwise in the fastest partition with enough free slots. Returns whether the grant succeeded.
     */
    public boolean grant(int j, int count) {
        if (count <= 0) {
            return false;
        }
        NodePartition best = null;
        double max = 0;
        NodePartition partition = view.heldPartition(j);
        if (partition != null && view.mayOnlyStay(j) && count == view.heldSlots(j)) {
            return grant(j, partition, count);
        }
        List<NodePartition> open = view.partitionsOf(j);
        for (NodePartition candidate : open) {
            if (free[candidate.index()] < count) {
                continue;
            }
            if (candidate.equals(partition) || open.size() == 1) {
                return grant(j, candidate, count);
            }
            double goodput = view.goodput(j, candidate, count);
            if (goodput > max) {
                max = goodput;
                best = candidate;
            }
        }
        return best != null && grant(j, best, count);
    }

    /**
     * Grants job {@code j}, which has no slots, {@code count} slots of {@code nodePartition}. Returns whether the grant
     * succeeded; a grant of 0 slots does not.
     */
    public boolean grant(int j, NodePartition nodePartition, int count) {
        if (count <= 0 || free[nodePartition.index()] < count || view.isPinned(j)) {
            return false;
        }
        free[nodePartition.index()] -= count;
        slots[j] = count;
        partition[j] = nodePartition;
        order.add(j);
        return true;
    }

    /**
     * Changes the slots of job {@code j} to {@code count}, at least 1, in its partition. Returns whether enough slots
     * were free.
     */
    public boolean resize(int j, int count) {
        int more = count - slots[j];
        int at = partitionOf(j).index();
        if (free[at] < more || view.isPinned(j)) {
            return false;
        }
        free[at] -= more;
        slots[j] = count;
        return true;
    }

    /** Sets the aggregation slots of job {@code j}. The caller ensures that the pool has them. */
    public void setAggregation(int j, double aggregationSlots) {
        aggregation[j] = aggregationSlots;
    }

    /** Revokes the grant of job {@code j}. */
    public void revoke(int j) {
        if (slots[j] > 0 && !view.isPinned(j)) {
            free[partitionOf(j).index()] += slots[j];
            slots[j] = 0;
            aggregation[j] = 0;
            partition[j] = null;
            order.remove((Integer) j);
        }
    }
}
