package dev.spur.policies.determined;

import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundProblem;
import dev.spur.policies.support.BatchRule;
import dev.spur.policies.support.NodePartition;
import dev.spur.policies.support.PartitionAssignment;
import dev.spur.policies.support.PlacementRules;
import dev.spur.policies.support.PlacementState;
import dev.spur.policies.support.RoundView;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Determined's fair-share scheduler: weighted max-min over groups of jobs, partition by partition. The groups are
 * tenants. A group above its offer stops jobs, the latest arrival first. A group below its offer starts waiting jobs
 * that fit the difference.
 *
 * <p>Source: Determined 0.38, as described in its documentation and code.
 */
public final class FairShareScheduler implements Policy {
    @Override
    public String name() {
        return "determined-fair-share";
    }

    @Override
    public boolean changesOnlyWithEvents() {
        return true;
    }

    @Override
    public Decision decide(RoundProblem problem) {
        RoundView view = RoundView.of(problem, BatchRule.USER);
        PlacementState placement = new PlacementState(view);
        List<List<Integer>> assigned = PartitionAssignment.byPartition(view);
        int[] stopsLeft = {view.maxRestarts()};
        for (NodePartition partition : view.partitions()) {
            List<FairShareGroup> groups = groups(view, partition, assigned.get(partition.index()));
            MaxMinAllocation.make(groups, partition.slots());
            groups.forEach(group -> stay(view, placement, group, stopsLeft));
            groups.forEach(group -> start(view, placement, partition, group));
        }
        return placement.decision(RoundMemory.EMPTY);
    }

    private static List<FairShareGroup> groups(RoundView view, NodePartition partition, List<Integer> jobs) {
        var fairShare = view.problem().fairShare();
        Map<String, FairShareGroup> byTenant = new LinkedHashMap<>();
        for (int j : jobs) {
            String tenant = view.job(j).tenant();
            FairShareGroup group = byTenant.computeIfAbsent(
                    tenant,
                    name -> new FairShareGroup(
                            fairShare.weightOf(name), view.job(j).arrival()));
            boolean couldRun = view.goodput(j, partition, view.requestedSlots(j)) > 0;
            group.add(j, slots(view, j), view.heldSlots(j) > 0, view.isPinned(j), couldRun);
        }
        return List.copyOf(byTenant.values());
    }

    private static int slots(RoundView view, int j) {
        return view.heldSlots(j) > 0 ? view.heldSlots(j) : view.requestedSlots(j);
    }

    private static void stay(RoundView view, PlacementState placement, FairShareGroup group, int[] stopsLeft) {
        int over = group.heldSlots() - group.offeredSlots();
        List<Integer> running = group.running();
        for (int i = running.size() - 1; i >= 0; i--) {
            int j = running.get(i);
            if (over > 0 && stopsLeft[0] > 0 && !view.isPinned(j)) {
                over -= view.heldSlots(j);
                stopsLeft[0]--;
            } else {
                placement.keep(j);
            }
        }
    }

    private static void start(RoundView view, PlacementState placement, NodePartition partition, FairShareGroup group) {
        int rest = group.offeredSlots() - group.heldSlots();
        for (int j : group.waiting()) {
            int slots = view.requestedSlots(j);
            if (slots <= rest && placement.start(j, partition, slots, 0, PlacementRules.ONE_NODE_OR_IDLE_ONES)) {
                rest -= slots;
            }
        }
    }
}
