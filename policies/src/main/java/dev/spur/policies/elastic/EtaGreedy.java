package dev.spur.policies.elastic;

import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundProblem;
import dev.spur.policies.support.BatchRule;
import dev.spur.policies.support.JobOrders;
import dev.spur.policies.support.NodePartition;
import dev.spur.policies.support.PartitionAssignment;
import dev.spur.policies.support.PlacementState;
import dev.spur.policies.support.RoundView;
import dev.spur.policies.support.SlotAllocations;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policy;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * The greedy allocator that Hu et al. compare their program with, lane by lane. If all jobs fit at their most, they get
 * it. Otherwise each gets its fewest slots in the order of arrival, which the first that does not fit ends; then the
 * started job with the longest remaining time gets its next count of slots, until slots or demand end.
 *
 * <p>Source: Hu et al., arXiv 2109.03389. A reconstruction: its text was not available.
 */
public final class EtaGreedy implements Policy {
    private final String name;
    private final boolean laterJobsPass;

    /** @param laterJobsPass true if later jobs may start when one does not fit */
    public EtaGreedy(String name, boolean laterJobsPass) {
        this.name = name;
        this.laterJobsPass = laterJobsPass;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Decision decide(RoundProblem problem) {
        RoundView snapshot = RoundView.of(problem, BatchRule.USER);
        SlotAllocations grants = new SlotAllocations(snapshot);
        List<List<Integer>> dealt = PartitionAssignment.byLane(snapshot);
        for (NodePartition lane : snapshot.lanes()) {
            List<Integer> jobs =
                    dealt.get(lane.index()).stream().filter(grants::isOpen).toList();
            if (!giveAllTheirMost(grants, lane, jobs)) {
                giveFewest(grants, lane, jobs);
                grow(grants, lane, jobs);
            }
        }
        return PlacementState.decide(grants, RoundMemory.EMPTY);
    }

    private static boolean giveAllTheirMost(SlotAllocations grants, NodePartition lane, List<Integer> jobs) {
        int sum = 0;
        for (int j : jobs) {
            sum += grants.snapshot().most(j, lane);
        }
        if (sum > grants.free(lane)) {
            return false;
        }
        for (int j : jobs) {
            grants.give(j, lane, grants.snapshot().most(j, lane));
        }
        return true;
    }

    private void giveFewest(SlotAllocations grants, NodePartition lane, List<Integer> jobs) {
        for (int j : jobs) {
            int fewest = grants.snapshot().next(j, lane, 0);
            if (fewest > 0 && !grants.give(j, lane, fewest) && !laterJobsPass) {
                return;
            }
        }
    }

    private static void grow(SlotAllocations grants, NodePartition lane, List<Integer> jobs) {
        RoundView snapshot = grants.snapshot();
        Comparator<Integer> longestFirst =
                Comparator.comparingDouble(j -> -snapshot.remainingSeconds(j, lane, grants.slots(j)));
        PriorityQueue<Integer> race = new PriorityQueue<>(longestFirst.thenComparing(JobOrders.ties(snapshot)));
        jobs.stream().filter(j -> grants.slots(j) > 0).forEach(race::add);
        while (grants.free(lane) > 0 && !race.isEmpty()) {
            int j = race.remove();
            int next = snapshot.next(j, lane, grants.slots(j));
            if (next > 0 && grants.resize(j, next)) {
                race.add(j);
            }
        }
    }
}
