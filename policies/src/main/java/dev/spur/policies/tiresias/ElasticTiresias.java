package dev.spur.policies.tiresias;

import dev.spur.model.round.RoundProblem;
import dev.spur.policies.elastic.ElasticScaling;
import dev.spur.policies.support.BatchRule;
import dev.spur.policies.support.NodePartition;
import dev.spur.policies.support.PartitionAssignment;
import dev.spur.policies.support.PlacementState;
import dev.spur.policies.support.RoundView;
import dev.spur.policies.support.SlotAllocations;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Elastic-Tiresias. A scan of the queues, highest priority first, gives each job its requested slots if they fit. If
 * more than ten jobs still wait, each running job outside the first queue shrinks to its minimum. Then the highest gain
 * gets slots, step by step. The gain of a running job is the goodput of the next step, relative to one slot, per slot;
 * that of a waiting job is the same for its minimum slots.
 *
 * <p>Source: Wu et al., TPDS 2021; rules from Voda's scheduler, a third-party implementation. Difference: there a
 * running job is skipped once fewer slots are free than its minimum.
 */
public final class ElasticTiresias implements Policy {
    /** Number of waiting jobs above which running jobs shrink. */
    private static final int MAX_WAITING = 10;

    private final String name;
    private final Queues queues;

    public ElasticTiresias(String name, Queues queues) {
        this.name = name;
        this.queues = queues;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Decision decide(RoundProblem problem) {
        RoundView view = RoundView.of(problem, BatchRule.USER);
        AttainedService attained = new AttainedService(view, queues);
        double[] rank = new double[view.jobs()];
        Arrays.setAll(rank, j -> LeastAttainedService.firstStart(view, attained, j));
        int[] order = QueueScan.order(view, attained, rank);
        SlotAllocations allocations = new SlotAllocations(view);
        List<List<Integer>> assigned = PartitionAssignment.byPartition(view);
        for (NodePartition partition : view.partitions()) {
            List<Integer> own = assigned.get(partition.index());
            List<Integer> jobs = Arrays.stream(order)
                    .boxed()
                    .filter(j -> allocations.isOpen(j) && own.contains(j) && view.maxSlots(j, partition) > 0)
                    .toList();
            serve(allocations, partition, jobs, attained);
        }
        return PlacementState.decide(allocations, attained.memory(Map.of()));
    }

    private static void serve(
            SlotAllocations allocations, NodePartition partition, List<Integer> jobs, AttainedService attained) {
        RoundView view = allocations.view();
        jobs.forEach(j -> allocations.grant(j, partition, view.requestedSlots(j)));
        long waiting = jobs.stream().filter(j -> allocations.slots(j) == 0).count();
        if (waiting > MAX_WAITING) {
            jobs.stream()
                    .filter(j -> allocations.slots(j) > 0 && attained.queue(j) > 0)
                    .forEach(j -> allocations.resize(j, view.next(j, partition, 0)));
        }
        List<Integer> race = new ArrayList<>(jobs);
        while (allocations.free(partition) > 0 && step(allocations, partition, race)) {
            // until no job gains
        }
    }

    /**
     * Grants slots to the job with the highest gain; ties go to the first in scan order. Returns false if no job gains.
     */
    private static boolean step(SlotAllocations allocations, NodePartition partition, List<Integer> race) {
        int best = -1;
        double max = 0;
        for (int j : race) {
            double gain = gain(allocations, partition, j);
            if (gain > max) {
                max = gain;
                best = j;
            }
        }
        if (best < 0) {
            return false;
        }
        int next = allocations.view().next(best, partition, allocations.slots(best));
        boolean got = allocations.slots(best) == 0
                ? allocations.grant(best, partition, next)
                : allocations.resize(best, next);
        if (!got) {
            race.remove((Integer) best);
        }
        return true;
    }

    private static double gain(SlotAllocations allocations, NodePartition partition, int j) {
        RoundView view = allocations.view();
        int now = allocations.slots(j);
        int next = view.next(j, partition, now);
        if (next == 0) {
            return 0;
        }
        double more =
                ElasticScaling.speedup(view, j, partition, next) - ElasticScaling.speedup(view, j, partition, now);
        return more / (next - now);
    }
}
