package dev.spur.policies.elasticflow;

import dev.spur.model.Checks;
import dev.spur.model.job.Job;
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
import java.util.Map;
import java.util.Optional;

/**
 * ElasticFlow, lane by lane: a job with a deadline is admitted if it and all admitted before get their minimum
 * satisfactory shares in the order of deadlines. Each has that share; what is free beyond goes where it costs the
 * fewest slot-seconds in the end.
 *
 * <p>Source: Gu et al., ASPLOS '23. Certain, but for four things. A share has room for one restart. The published
 * simulator, read literally, gives surplus to the job that wastes most slot-time; here it goes to the one that wastes
 * least, what a restart wastes included. Shares found anew may no longer fit each other, since slots come in powers of
 * two: then the plans of the last round, which do, are kept. A job that is refused, or whose deadline cannot be kept
 * any more, runs without one.
 */
public final class ElasticFlow implements Policy {
    private final String name;
    private final double roundSeconds;
    private final boolean allOrNone;

    /**
     * @param roundSeconds length of a round, above 0: plans are made of whole ones
     * @param allOrNone true if the newcomers of a round are admitted or refused together, and refused while an admitted
     *     job is late, as in the authors' program; false if each is looked at by itself, in the order of arrival
     */
    public ElasticFlow(String name, double roundSeconds, boolean allOrNone) {
        this.name = name;
        this.roundSeconds = Checks.positive("roundSeconds", roundSeconds);
        this.allOrNone = allOrNone;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Decision decide(RoundProblem problem) {
        RoundView snapshot = RoundView.of(problem, BatchRule.USER);
        SlotAllocations grants = new SlotAllocations(snapshot);
        AdmissionState memory = new AdmissionState(problem.memory().counters());
        List<List<Integer>> dealt = PartitionAssignment.byLane(snapshot);
        for (NodePartition lane : snapshot.lanes()) {
            List<Integer> jobs = dealt.get(lane.index()).stream()
                    .filter(j -> snapshot.most(j, lane) > 0)
                    .toList();
            PartitionPlans plans = new Planning(snapshot, lane, memory).plans(jobs);
            plans.giveSurplus();
            plans.all().forEach((demand, plan) -> memory.rememberPlan(snapshot.job(demand.job()), plan));
            plans.slotsNow().forEach((demand, slots) -> give(grants, lane, demand, slots));
        }
        return PlacementState.decide(grants, new RoundMemory(Map.of(), memory.counters()));
    }

    /** A job that may not be touched yet can leave less than was planned with. */
    private static void give(SlotAllocations grants, NodePartition lane, DeadlineDemand demand, int slots) {
        if (slots > 0 && !grants.give(demand.job(), lane, slots)) {
            int fitting = demand.levelUpTo(Math.max(0, grants.free(lane)));
            grants.give(demand.job(), lane, Math.min(slots, fitting));
        }
    }

    /** The plans of one lane. */
    private final class Planning {
        private final RoundView snapshot;
        private final NodePartition lane;
        private final AdmissionState memory;
        private final List<DeadlineDemand> admitted = new ArrayList<>();
        private final List<DeadlineDemand> others = new ArrayList<>();

        Planning(RoundView snapshot, NodePartition lane, AdmissionState memory) {
            this.snapshot = snapshot;
            this.lane = lane;
            this.memory = memory;
        }

        PartitionPlans plans(List<Integer> jobs) {
            int slots = Math.max(lane.slots(), new SlotAllocations(snapshot).free(lane));
            List<DeadlineDemand> newcomers = sort(jobs);
            boolean anew = PartitionPlans.areFeasible(snapshot.now(), slots, admitted);
            PartitionPlans kept = new PartitionPlans(snapshot.now(), slots);
            if (!anew) {
                admitted.forEach(demand -> kept.keep(demand, memory.planFrom(job(demand), snapshot.now())));
            }
            boolean together = allOrNone && anew && areFeasible(slots, newcomers);
            for (DeadlineDemand newcomer : newcomers) {
                boolean alone = !allOrNone && (anew ? areFeasible(slots, List.of(newcomer)) : kept.add(newcomer));
                boolean accepted = together || alone;
                (accepted ? admitted : others).add(accepted ? newcomer : newcomer.bestEffort());
                memory.rememberAdmission(job(newcomer), accepted);
            }
            PartitionPlans plans = anew ? new PartitionPlans(snapshot.now(), slots) : kept;
            if (anew) {
                plans.addByDeadline(admitted);
            }
            others.forEach(plans::add);
            return plans;
        }

        /** True if all who are admitted get their shares, and {@code newcomers} as well. */
        private boolean areFeasible(int slots, List<DeadlineDemand> newcomers) {
            List<DeadlineDemand> all = new ArrayList<>(admitted);
            all.addAll(newcomers);
            return PartitionPlans.areFeasible(snapshot.now(), slots, all);
        }

        /**
         * Sorts out who was admitted, and who has no deadline or was refused; returns those with a deadline who are
         * new.
         */
        private List<DeadlineDemand> sort(List<Integer> jobs) {
            List<DeadlineDemand> newcomers = new ArrayList<>();
            for (int j : jobs) {
                Job job = snapshot.job(j);
                Double deadline = job.deadline();
                double until = deadline == null ? Double.POSITIVE_INFINITY : deadline;
                DeadlineDemand demand = DeadlineDemand.of(snapshot, lane, j, until, roundSeconds);
                Optional<Boolean> said = memory.admitted(job);
                if (deadline == null) {
                    others.add(demand);
                } else if (said.isEmpty()) {
                    newcomers.add(demand);
                } else {
                    memory.rememberAdmission(job, said.get());
                    (said.get() ? admitted : others).add(said.get() ? demand : demand.bestEffort());
                }
            }
            return newcomers;
        }

        private Job job(DeadlineDemand demand) {
            return snapshot.job(demand.job());
        }
    }
}
