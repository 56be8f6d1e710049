package dev.spur.solver.policy;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.dataprep.Preparation;
import dev.spur.model.dataprep.PreparationAllocation;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.round.PreparationPlan;
import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.StepTime;
import dev.spur.solver.dataprep.PreparationPlanner;
import dev.spur.solver.explain.PreparationAwareReasons;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Policy decorator that adds data preparations to a policy for training jobs. The resources of running preparations are
 * subtracted before training is decided; pending ones are placed in the resources that training leaves.
 */
final class DataPreparationPolicy implements Policy {
    private final Policy trainingPolicy;

    DataPreparationPolicy(Policy trainingPolicy) {
        this.trainingPolicy = trainingPolicy;
    }

    @Override
    public String name() {
        return trainingPolicy.name();
    }

    @Override
    public boolean changesOnlyWithEvents() {
        return trainingPolicy.changesOnlyWithEvents();
    }

    @Override
    public Decision decide(RoundProblem problem) {
        return problem.preparations().isEmpty()
                ? trainingPolicy.decide(problem)
                : new DecisionWithPreparations(problem, trainingPolicy.decide(withoutPreparations(problem)));
    }

    /** Returns the problem of the training jobs alone, on the hosts less the running preparations. */
    static RoundProblem withoutPreparations(RoundProblem problem) {
        Map<String, double[]> held = new HashMap<>();
        for (Preparation preparation : problem.preparations()) {
            PreparationAllocation allocation = preparation.grant();
            if (allocation != null) {
                double[] sums = held.computeIfAbsent(allocation.node(), node -> new double[2]);
                sums[0] += allocation.cpus();
                sums[1] += allocation.localGiB();
            }
        }
        return problem.withPreparations(List.of())
                .withNodes(problem.nodes().stream()
                        .map(node -> {
                            double[] sums = held.get(node.id());
                            return sums == null
                                    ? node
                                    : node.withHost(
                                            Math.max(0, node.cpus() - sums[0]),
                                            Math.max(0, node.memoryGiB() - sums[1]),
                                            node.aggregationSlots());
                        })
                        .toList());
    }

    /** Decision on training, with preparations added to its plan. */
    private record DecisionWithPreparations(RoundProblem problem, Decision decision) implements Decision {
        @Override
        public Map<String, Allocation> allocations() {
            return decision.allocations();
        }

        @Override
        public Map<String, DeadlineStatus> deadlineStatuses() {
            return decision.deadlineStatuses();
        }

        @Override
        public RoundMemory memory() {
            return decision.memory();
        }

        @Override
        public OptionalDouble gap() {
            return decision.gap();
        }

        @Override
        public RoundPlan plan() {
            RoundPlan plan = decision.plan();
            long before = System.nanoTime();
            PreparationPlan preparations = PreparationPlanner.plan(problem, decision.allocations());
            double milliseconds = (System.nanoTime() - before) / 1e6;
            List<StepTime> steps = new ArrayList<>(plan.stats().steps());
            steps.add(new StepTime("preparations", milliseconds));
            return new RoundPlan(
                    plan.running(),
                    PreparationAwareReasons.correct(problem, plan.waiting()),
                    plan.deadlineStatuses(),
                    plan.quality(),
                    plan.stats().withSteps(steps),
                    plan.memory(),
                    preparations);
        }
    }
}
