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
 * Sia's placement: whoever keeps its slots keeps its nodes; the others go largest first to the fullest node that fits,
 * or to idle nodes. Where none fits, smaller jobs are moved away from the node on which that takes the fewest slots.
 */
final class SiaPlacement {
    private final RoundView snapshot;
    private final PlacementState seating;
    private final Map<Integer, TreeSet<Integer>> keptOn = new HashMap<>();

    SiaPlacement(RoundView snapshot, PlacementState seating) {
        this.snapshot = snapshot;
        this.seating = seating;
    }

    void seat(SlotAllocations grants) {
        if (snapshot.mostRestarts() < Integer.MAX_VALUE) {
            seating.seat(grants, j -> PlacementRules.FEWEST_NODES);
            return;
        }
        Comparator<Integer> largestFirst = Comparator.comparingInt(j -> -grants.slots(j));
        PriorityQueue<Integer> moving = new PriorityQueue<>(largestFirst.thenComparing(Comparator.naturalOrder()));
        for (int j : grants.order()) {
            if (PlacementState.isUnchanged(grants, j) && seating.keep(j)) {
                remember(j);
            } else {
                moving.add(j);
            }
        }
        while (!moving.isEmpty()) {
            int j = moving.remove();
            moving.addAll(place(grants, j));
        }
    }

    private void remember(int j) {
        var held = snapshot.job(j).allocation();
        if (held != null) {
            for (NodeShare piece : held.placement()) {
                keptOn.computeIfAbsent(snapshot.hardware().indexOf(piece.node()), v -> new TreeSet<>())
                        .add(j);
            }
        }
    }

    /** Places job {@code j}; returns the jobs that it drives away. */
    private List<Integer> place(SlotAllocations grants, int j) {
        NodePartition lane = grants.laneOf(j);
        int slots = grants.slots(j);
        List<Integer> driven = new ArrayList<>();
        while (!seating.start(j, lane, slots, 0, PlacementRules.TIGHT)) {
            int node = cheapest(grants, lane, slots);
            if (node < 0) {
                driven.forEach(this::restore);
                if (!seating.start(j, lane, slots, 0, PlacementRules.FEWEST_NODES)) {
                    seating.keep(j);
                }
                return driven.stream().filter(other -> !seating.isSeated(other)).toList();
            }
            driven.addAll(driveAway(node, slots));
        }
        return driven;
    }

    private void restore(int j) {
        if (seating.keep(j)) {
            remember(j);
        }
    }

    /**
     * The node that gang of {@code slots} could have at the price of the fewest slots of smaller jobs; -1 if there is
     * none.
     */
    private int cheapest(SlotAllocations grants, NodePartition lane, int slots) {
        int best = -1;
        int least = Integer.MAX_VALUE;
        for (int v : lane.nodes()) {
            int movable = 0;
            for (int other : keptOn.getOrDefault(v, new TreeSet<>())) {
                movable += grants.slots(other) < slots ? seating.slotsOn(other, v) : 0;
            }
            int needed = Math.min(slots, lane.nodeSlots()) - seating.freeOn(v);
            if (needed > 0 && needed <= movable && needed < least) {
                least = needed;
                best = v;
            }
        }
        return best;
    }

    /** Takes the smallest jobs off node {@code v} until a gang of {@code slots} has the room that it needs there. */
    private List<Integer> driveAway(int v, int slots) {
        List<Integer> driven = new ArrayList<>();
        List<Integer> smallestFirst = new ArrayList<>(keptOn.getOrDefault(v, new TreeSet<>()));
        smallestFirst.sort(Comparator.comparingInt(snapshot::held));
        for (int other : smallestFirst) {
            int room = Math.min(slots, snapshot.hardware().nodes().get(v).slots());
            if (seating.freeOn(v) < room && snapshot.held(other) < slots) {
                seating.remove(other);
                keptOn.values().forEach(jobs -> jobs.remove(other));
                driven.add(other);
            }
        }
        return driven;
    }
}
