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
 * Elastic-Tiresias. The queues are walked from the top, and each job gets the slots that it asks for if they fit. If
 * more than ten jobs still wait, each running job outside the top queue is shrunk to its fewest. Then the highest gain
 * gets slots, step by step: a running job gains the goodput of one more step, relative to one slot and by slot; a
 * waiting one that of its fewest.
 *
 * <p>Source: Wu et al., TPDS 2021; rules from Voda's scheduler, another's implementation. There a running job leaves
 * the race when fewer than its fewest slots are free; not here.
 */
public final class ElasticTiresias implements Policy {
    /** Waiting jobs beyond which running ones are shrunk. */
    private static final int MOST_WAITING = 10;

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
        RoundView snapshot = RoundView.of(problem, BatchRule.USER);
        AttainedService attained = new AttainedService(snapshot, queues);
        double[] rank = new double[snapshot.jobs()];
        Arrays.setAll(rank, j -> LeastAttainedService.firstStart(snapshot, attained, j));
        int[] order = QueueScan.order(snapshot, attained, rank);
        SlotAllocations grants = new SlotAllocations(snapshot);
        List<List<Integer>> dealt = PartitionAssignment.byLane(snapshot);
        for (NodePartition lane : snapshot.lanes()) {
            List<Integer> own = dealt.get(lane.index());
            List<Integer> jobs = Arrays.stream(order)
                    .boxed()
                    .filter(j -> grants.isOpen(j) && own.contains(j) && snapshot.most(j, lane) > 0)
                    .toList();
            serve(grants, lane, jobs, attained);
        }
        return PlacementState.decide(grants, attained.memory(Map.of()));
    }

    private static void serve(
            SlotAllocations grants, NodePartition lane, List<Integer> jobs, AttainedService attained) {
        RoundView snapshot = grants.snapshot();
        jobs.forEach(j -> grants.give(j, lane, snapshot.requested(j)));
        long waiting = jobs.stream().filter(j -> grants.slots(j) == 0).count();
        if (waiting > MOST_WAITING) {
            jobs.stream()
                    .filter(j -> grants.slots(j) > 0 && attained.queue(j) > 0)
                    .forEach(j -> grants.resize(j, snapshot.next(j, lane, 0)));
        }
        List<Integer> race = new ArrayList<>(jobs);
        while (grants.free(lane) > 0 && step(grants, lane, race)) {
            // until nobody gains any more
        }
    }

    /** Gives the highest gain its slots; the first in the walk of several. Returns false if nobody gains. */
    private static boolean step(SlotAllocations grants, NodePartition lane, List<Integer> race) {
        int best = -1;
        double most = 0;
        for (int j : race) {
            double gain = gain(grants, lane, j);
            if (gain > most) {
                most = gain;
                best = j;
            }
        }
        if (best < 0) {
            return false;
        }
        int next = grants.snapshot().next(best, lane, grants.slots(best));
        boolean got = grants.slots(best) == 0 ? grants.give(best, lane, next) : grants.resize(best, next);
        if (!got) {
            race.remove((Integer) best);
        }
        return true;
    }

    private static double gain(SlotAllocations grants, NodePartition lane, int j) {
        RoundView snapshot = grants.snapshot();
        int now = grants.slots(j);
        int next = snapshot.next(j, lane, now);
        if (next == 0) {
            return 0;
        }
        double more =
                ElasticScaling.normalized(snapshot, j, lane, next) - ElasticScaling.normalized(snapshot, j, lane, now);
        return more / (next - now);
    }
}
