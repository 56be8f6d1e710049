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
 * ElasticFlow, partition by partition. A job with a deadline is admitted if it and all admitted jobs get their minimum
 * satisfactory shares in the order of deadlines. Each admitted job gets that share. Surplus slots go to the job for
 * which they cost the least slot-seconds in total.
 *
 * <p>Source: Gu et al., ASPLOS '23. Certain, with four differences. A share includes one restart. The published
 * simulator, read literally, gives surplus to the job that wastes the most slot-time; here it goes to the job that
 * wastes the least, restarts included. Recomputed shares may no longer fit jointly, because slot counts are powers of
 * two; then the feasible plans of the last round are kept. A rejected job, or one whose deadline can no longer be met,
 * runs without a deadline.
 */
public final class ElasticFlow implements Policy {
    private final String name;
    private final double roundSeconds;
    private final boolean allOrNone;

    /**
     * Creates the policy.
     *
     * @param roundSeconds length of a round, above 0; plans consist of whole rounds
     * @param allOrNone true if the new jobs of a round are admitted or rejected jointly, and rejected while an admitted
     *     job is late, as in the authors' program; false if each is decided on its own, by arrival
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
        RoundView view = RoundView.of(problem, BatchRule.USER);
        SlotAllocations allocations = new SlotAllocations(view);
        AdmissionState state = new AdmissionState(problem.memory().counters());
        List<List<Integer>> assigned = PartitionAssignment.byPartition(view);
        for (NodePartition partition : view.partitions()) {
            List<Integer> jobs = assigned.get(partition.index()).stream()
                    .filter(j -> view.maxSlots(j, partition) > 0)
                    .toList();
            PartitionPlans plans = new Planning(view, partition, state).plans(jobs);
            plans.assignSurplus();
            plans.all().forEach((demand, intervals) -> state.rememberPlan(view.job(demand.job()), intervals));
            plans.slotsNow().forEach((demand, slots) -> grant(allocations, partition, demand, slots));
        }
        return PlacementState.decide(allocations, new RoundMemory(Map.of(), state.counters()));
    }

    /** Grants the planned slots, or fewer where a pinned job leaves less than planned. */
    private static void grant(SlotAllocations allocations, NodePartition partition, DeadlineDemand demand, int slots) {
        if (slots > 0 && !allocations.grant(demand.job(), partition, slots)) {
            int fitting = demand.levelUpTo(Math.max(0, allocations.free(partition)));
            allocations.grant(demand.job(), partition, Math.min(slots, fitting));
        }
    }

    /** Planning of one partition. */
    private final class Planning {
        private final RoundView view;
        private final NodePartition partition;
        private final AdmissionState state;
        private final List<DeadlineDemand> admittedDemands = new ArrayList<>();
        private final List<DeadlineDemand> otherDemands = new ArrayList<>();

        Planning(RoundView view, NodePartition partition, AdmissionState state) {
            this.view = view;
            this.partition = partition;
            this.state = state;
        }

        PartitionPlans plans(List<Integer> jobs) {
            int slots = Math.max(partition.slots(), new SlotAllocations(view).free(partition));
            List<DeadlineDemand> newDemands = sort(jobs);
            boolean fromScratch = PartitionPlans.areFeasible(view.now(), slots, admittedDemands);
            PartitionPlans retained = new PartitionPlans(view.now(), slots);
            if (!fromScratch) {
                admittedDemands.forEach(demand -> retained.keep(demand, state.planFrom(job(demand), view.now())));
            }
            boolean jointly = allOrNone && fromScratch && areFeasible(slots, newDemands);
            for (DeadlineDemand newJob : newDemands) {
                boolean alone =
                        !allOrNone && (fromScratch ? areFeasible(slots, List.of(newJob)) : retained.add(newJob));
                boolean accepted = jointly || alone;
                (accepted ? admittedDemands : otherDemands).add(accepted ? newJob : newJob.bestEffort());
                state.rememberAdmission(job(newJob), accepted);
            }
            PartitionPlans plans = fromScratch ? new PartitionPlans(view.now(), slots) : retained;
            if (fromScratch) {
                plans.addByDeadline(admittedDemands);
            }
            otherDemands.forEach(plans::add);
            return plans;
        }

        /** Returns true if all admitted jobs and {@code newDemands} get their shares. */
        private boolean areFeasible(int slots, List<DeadlineDemand> newDemands) {
            List<DeadlineDemand> all = new ArrayList<>(admittedDemands);
            all.addAll(newDemands);
            return PartitionPlans.areFeasible(view.now(), slots, all);
        }

        /**
         * Splits jobs into admitted and best-effort ones (no deadline, or rejected). Returns the new jobs with a
         * deadline.
         */
        private List<DeadlineDemand> sort(List<Integer> jobs) {
            List<DeadlineDemand> newDemands = new ArrayList<>();
            for (int j : jobs) {
                Job job = view.job(j);
                Double deadline = job.deadline();
                double until = deadline == null ? Double.POSITIVE_INFINITY : deadline;
                DeadlineDemand demand = DeadlineDemand.of(view, partition, j, until, roundSeconds);
                Optional<Boolean> admission = state.wasAdmitted(job);
                if (deadline == null) {
                    otherDemands.add(demand);
                } else if (admission.isEmpty()) {
                    newDemands.add(demand);
                } else {
                    state.rememberAdmission(job, admission.get());
                    (admission.get() ? admittedDemands : otherDemands)
                            .add(admission.get() ? demand : demand.bestEffort());
                }
            }
            return newDemands;
        }

        private Job job(DeadlineDemand demand) {
            return view.job(demand.job());
        }
    }
}
