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
 * Elastic scaler of Saxena et al.: slots and batch sizes of all jobs of a partition jointly, by dynamic programming
 * over the sum of speeds relative to one slot. Speed is goodput here, so that a large batch size has a cost.
 *
 * <p>Source: Saxena et al., arXiv 2006.13878; the program from Voda's scheduler. The fixed batch size is the paper's
 * baseline.
 */
public final class BatchDp implements Policy {
    private final String name;
    private final BatchRule batches;
    private final boolean stopsAtFirstMisfit;

    /**
     * Creates the policy.
     *
     * @param batches whether the batch size is chosen with the slots
     * @param stopsAtFirstMisfit true if each job gets slots, up to the first by arrival whose minimum does not fit;
     *     false if any job may wait
     */
    public BatchDp(String name, BatchRule batches, boolean stopsAtFirstMisfit) {
        this.name = name;
        this.batches = batches;
        this.stopsAtFirstMisfit = stopsAtFirstMisfit;
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
        RoundView view = RoundView.of(problem, batches);
        SlotAllocations allocations = new SlotAllocations(view);
        List<List<Integer>> assigned = PartitionAssignment.byPartition(view);
        for (NodePartition partition : view.partitions()) {
            List<Integer> jobs = assigned.get(partition.index()).stream()
                    .filter(j -> allocations.isOpen(j) && view.maxSlots(j, partition) > 0)
                    .toList();
            grant(allocations, partition, stopsAtFirstMisfit ? prefix(allocations, partition, jobs) : jobs);
        }
        return PlacementState.decide(allocations, RoundMemory.EMPTY);
    }

    /** Returns the longest prefix of the jobs by arrival whose minimum slots fit together. */
    private static List<Integer> prefix(SlotAllocations allocations, NodePartition partition, List<Integer> jobs) {
        int left = allocations.free(partition);
        for (int i = 0; i < jobs.size(); i++) {
            left -= allocations.view().next(jobs.get(i), partition, 0);
            if (left < 0) {
                return jobs.subList(0, i);
            }
        }
        return jobs;
    }

    private void grant(SlotAllocations allocations, NodePartition partition, List<Integer> jobs) {
        List<List<KnapsackItem>> items = jobs.stream()
                .map(j -> choices(allocations.view(), j, partition))
                .toList();
        int[] chosen = MultipleChoiceKnapsack.solve(items, Math.max(0, allocations.free(partition)));
        for (int i = 0; i < chosen.length; i++) {
            allocations.grant(
                    jobs.get(i), partition, items.get(i).get(chosen[i]).slots());
        }
    }

    /** Returns the choices of job {@code j}, waiting last: a job waits only if other jobs gain more from its slots. */
    List<KnapsackItem> choices(RoundView view, int j, NodePartition partition) {
        List<KnapsackItem> ownItems = new ArrayList<>();
        for (int slots : view.counts(j, partition)) {
            ownItems.add(new KnapsackItem(slots, ElasticScaling.speedup(view, j, partition, slots)));
        }
        if (!stopsAtFirstMisfit) {
            ownItems.add(new KnapsackItem(0, 0));
        }
        return ownItems;
    }
}
