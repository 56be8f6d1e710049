package dev.spur.policies.elastic;

import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundProblem;
import dev.spur.policies.support.BatchRule;
import dev.spur.policies.support.NodePartition;
import dev.spur.policies.support.PartitionAssignment;
import dev.spur.policies.support.PlacementState;
import dev.spur.policies.support.RoundView;
import dev.spur.policies.support.SlotAllocations;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policy;
import java.util.ArrayList;
import java.util.List;

/**
 * The elastic scaler of Saxena et al.: slots and batch sizes of all jobs of a lane together, by dynamic programming
 * over the sum of their speeds relative to one slot. Speed is goodput here, so that large batches are not taken to be
 * free.
 *
 * <p>Source: Saxena et al., arXiv 2006.13878; the program from Voda's scheduler. The fixed batch is the paper's
 * baseline.
 */
public final class BatchDp implements Policy {
    private final String name;
    private final BatchRule batches;
    private final boolean cutsTheQueue;

    /**
     * @param batches whether the batch size is chosen with the slots
     * @param cutsTheQueue true if each job gets slots, up to the first by arrival whose fewest no longer fit; false if
     *     any may wait
     */
    public BatchDp(String name, BatchRule batches, boolean cutsTheQueue) {
        this.name = name;
        this.batches = batches;
        this.cutsTheQueue = cutsTheQueue;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean changesOnlyWithEvents() {
        return true;
    }

    @Override
    public Decision decide(RoundProblem problem) {
        RoundView snapshot = RoundView.of(problem, batches);
        SlotAllocations grants = new SlotAllocations(snapshot);
        List<List<Integer>> dealt = PartitionAssignment.byLane(snapshot);
        for (NodePartition lane : snapshot.lanes()) {
            List<Integer> jobs = dealt.get(lane.index()).stream()
                    .filter(j -> grants.isOpen(j) && snapshot.most(j, lane) > 0)
                    .toList();
            give(grants, lane, cutsTheQueue ? prefix(grants, lane, jobs) : jobs);
        }
        return PlacementState.decide(grants, RoundMemory.EMPTY);
    }

    /** The first jobs by arrival whose fewest slots fit together. */
    private static List<Integer> prefix(SlotAllocations grants, NodePartition lane, List<Integer> jobs) {
        int left = grants.free(lane);
        for (int i = 0; i < jobs.size(); i++) {
            left -= grants.snapshot().next(jobs.get(i), lane, 0);
            if (left < 0) {
                return jobs.subList(0, i);
            }
        }
        return jobs;
    }

    private void give(SlotAllocations grants, NodePartition lane, List<Integer> jobs) {
        List<List<KnapsackItem>> choices =
                jobs.stream().map(j -> choices(grants.snapshot(), j, lane)).toList();
        int[] chosen = MultipleChoiceKnapsack.solve(choices, Math.max(0, grants.free(lane)));
        for (int i = 0; i < chosen.length; i++) {
            grants.give(jobs.get(i), lane, choices.get(i).get(chosen[i]).slots());
        }
    }

    /** The choices of job {@code j}, waiting last: it waits only if that is worth more to others. */
    List<KnapsackItem> choices(RoundView snapshot, int j, NodePartition lane) {
        List<KnapsackItem> own = new ArrayList<>();
        for (int slots : snapshot.counts(j, lane)) {
            own.add(new KnapsackItem(slots, ElasticScaling.normalized(snapshot, j, lane, slots)));
        }
        if (!cutsTheQueue) {
            own.add(new KnapsackItem(0, 0));
        }
        return own;
    }
}
