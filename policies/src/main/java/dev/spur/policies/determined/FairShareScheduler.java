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
 * Determined's fair-share scheduler: weighted max-min over groups of jobs, lane by lane. The groups are the tenants
 * here. A group that holds more than its offer stops jobs, the last to arrive first; one that holds less starts waiting
 * ones that fit the rest.
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
        RoundView snapshot = RoundView.of(problem, BatchRule.USER);
        PlacementState seating = new PlacementState(snapshot);
        List<List<Integer>> dealt = PartitionAssignment.byLane(snapshot);
        int[] stopsLeft = {snapshot.mostRestarts()};
        for (NodePartition lane : snapshot.lanes()) {
            List<FairShareGroup> groups = groups(snapshot, lane, dealt.get(lane.index()));
            MaxMinAllocation.make(groups, lane.slots());
            groups.forEach(group -> stay(snapshot, seating, group, stopsLeft));
            groups.forEach(group -> start(snapshot, seating, lane, group));
        }
        return seating.decision(RoundMemory.EMPTY);
    }

    private static List<FairShareGroup> groups(RoundView snapshot, NodePartition lane, List<Integer> jobs) {
        var tenants = snapshot.problem().fairShare();
        Map<String, FairShareGroup> byTenant = new LinkedHashMap<>();
        for (int j : jobs) {
            String tenant = snapshot.job(j).tenant();
            FairShareGroup group = byTenant.computeIfAbsent(
                    tenant,
                    name -> new FairShareGroup(
                            tenants.weightOf(name), snapshot.job(j).arrival()));
            boolean couldRun = snapshot.goodput(j, lane, snapshot.requested(j)) > 0;
            group.add(j, slots(snapshot, j), snapshot.held(j) > 0, snapshot.isPinned(j), couldRun);
        }
        return List.copyOf(byTenant.values());
    }

    private static int slots(RoundView snapshot, int j) {
        return snapshot.held(j) > 0 ? snapshot.held(j) : snapshot.requested(j);
    }

    private static void stay(RoundView snapshot, PlacementState seating, FairShareGroup group, int[] stopsLeft) {
        int over = group.held() - group.offered();
        List<Integer> running = group.running();
        for (int i = running.size() - 1; i >= 0; i--) {
            int j = running.get(i);
            if (over > 0 && stopsLeft[0] > 0 && !snapshot.isPinned(j)) {
                over -= snapshot.held(j);
                stopsLeft[0]--;
            } else {
                seating.keep(j);
            }
        }
    }

    private static void start(RoundView snapshot, PlacementState seating, NodePartition lane, FairShareGroup group) {
        int rest = group.offered() - group.held();
        for (int j : group.waiting()) {
            int slots = snapshot.requested(j);
            if (slots <= rest && seating.start(j, lane, slots, 0, PlacementRules.ONE_NODE_OR_IDLE_ONES)) {
                rest -= slots;
            }
        }
    }
}
