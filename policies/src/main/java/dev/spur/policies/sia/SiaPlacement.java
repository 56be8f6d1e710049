package dev.spur.policies.sia;

import dev.spur.model.allocation.NodeShare;
import dev.spur.policies.support.NodePartition;
import dev.spur.policies.support.PlacementRules;
import dev.spur.policies.support.PlacementState;
import dev.spur.policies.support.RoundView;
import dev.spur.policies.support.SlotAllocations;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeSet;

/**
 * Placement of Sia: a job that keeps its slots keeps its nodes. The others go, largest first, to the fullest node that
 * fits, or to idle nodes. Where none fits, smaller jobs are evicted from the node on which that affects the smallest
 * number of slots.
 */
final class SiaPlacement {
    private final RoundView view;
    private final PlacementState placement;
    private final Map<Integer, TreeSet<Integer>> retainedOn = new HashMap<>();

    SiaPlacement(RoundView view, PlacementState placement) {
        this.view = view;
        this.placement = placement;
    }

    void placeAll(SlotAllocations allocations) {
        if (view.maxRestarts() < Integer.MAX_VALUE) {
            placement.placeAll(allocations, j -> PlacementRules.MIN_NODES);
            return;
        }
        Comparator<Integer> largestFirst = Comparator.comparingInt(j -> -allocations.slots(j));
        PriorityQueue<Integer> moving = new PriorityQueue<>(largestFirst.thenComparing(Comparator.naturalOrder()));
        for (int j : allocations.order()) {
            if (PlacementState.isUnchanged(allocations, j) && placement.keep(j)) {
                remember(j);
            } else {
                moving.add(j);
            }
        }
        while (!moving.isEmpty()) {
            int j = moving.remove();
            moving.addAll(place(allocations, j));
        }
    }

    private void remember(int j) {
        var heldAllocation = view.job(j).allocation();
        if (heldAllocation != null) {
            for (NodeShare share : heldAllocation.placement()) {
                retainedOn
                        .computeIfAbsent(view.clusterIndex().indexOf(share.node()), v -> new TreeSet<>())
                        .add(j);
            }
        }
    }

    /** Places job {@code j}; returns the evicted jobs. */
    private List<Integer> place(SlotAllocations allocations, int j) {
        NodePartition partition = allocations.partitionOf(j);
        int slots = allocations.slots(j);
        List<Integer> driven = new ArrayList<>();
        while (!placement.start(j, partition, slots, 0, PlacementRules.TIGHT)) {
            int node = cheapest(allocations, partition, slots);
            if (node < 0) {
                driven.forEach(this::restore);
                if (!placement.start(j, partition, slots, 0, PlacementRules.MIN_NODES)) {
                    placement.keep(j);
                }
                return driven.stream()
                        .filter(other -> !placement.isPlaced(other))
                        .toList();
            }
            driven.addAll(evictSmaller(node, slots));
        }
        return driven;
    }

    private void restore(int j) {
        if (placement.keep(j)) {
            remember(j);
        }
    }

    /**
     * Returns the node on which a gang of {@code slots} evicts the smallest number of slots of smaller jobs; -1 if
     * there is none.
     */
    private int cheapest(SlotAllocations allocations, NodePartition partition, int slots) {
        int best = -1;
        int min = Integer.MAX_VALUE;
        for (int v : partition.nodes()) {
            int movable = 0;
            for (int other : retainedOn.getOrDefault(v, new TreeSet<>())) {
                movable += allocations.slots(other) < slots ? placement.slotsOn(other, v) : 0;
            }
            int needed = Math.min(slots, partition.nodeSlots()) - placement.freeOn(v);
            if (needed > 0 && needed <= movable && needed < min) {
                min = needed;
                best = v;
            }
        }
        return best;
    }

    /** Evicts the smallest jobs from node {@code v} until a gang of {@code slots} fits; returns them. */
    private List<Integer> evictSmaller(int v, int slots) {
        List<Integer> driven = new ArrayList<>();
        List<Integer> smallestFirst = new ArrayList<>(retainedOn.getOrDefault(v, new TreeSet<>()));
        smallestFirst.sort(Comparator.comparingInt(view::heldSlots));
        for (int other : smallestFirst) {
            int free = Math.min(slots, view.clusterIndex().nodes().get(v).slots());
            if (placement.freeOn(v) < free && view.heldSlots(other) < slots) {
                placement.remove(other);
                retainedOn.values().forEach(jobs -> jobs.remove(other));
                driven.add(other);
            }
        }
        return driven;
    }
}
