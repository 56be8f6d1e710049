package dev.spur.simulator.eta;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.dataprep.Preparation;
import dev.spur.model.dataprep.PreparationAllocation;
import dev.spur.model.round.PlannedPreparation;
import dev.spur.model.round.PreparationPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.simulator.replay.Rollout;
import dev.spur.simulator.replay.SimulatedTimes;
import dev.spur.solver.dataprep.PreparationPlanner;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Simulation of preparations: whenever one ends, the waiting ones are planned again. Training jobs keep their
 * allocation, and nodes keep their current own use.
 */
final class PreparationRollout {
    private final RoundProblem problem;
    private final Map<String, Allocation> trainingAllocations;
    private final Map<String, Double> stretches;
    private final Map<String, ActivePreparation> activePreparations = new LinkedHashMap<>();
    private final Map<String, SimulatedTimes> timesById = new HashMap<>();
    private double now;
    private int rounds;

    /**
     * A preparation in the simulation.
     *
     * @param seen preparation as the planner sees it
     * @param left true remaining work, in seconds at full speed
     */
    private record ActivePreparation(Preparation seen, double left) {
        /** Returns the end if nothing changes; infinite if it waits. */
        double end(double now) {
            PreparationAllocation allocation = seen.grant();
            return allocation == null ? Double.POSITIVE_INFINITY : now + left * slowDown(allocation);
        }

        private double slowDown(PreparationAllocation allocation) {
            return seen.spec().slowDown(allocation.localGiB(), allocation.borrowedGiB());
        }

        /** Returns the preparation after some time. The remaining work that the planner sees is never below 0. */
        ActivePreparation after(double seconds) {
            PreparationAllocation allocation = seen.grant();
            if (allocation == null) {
                return this;
            }
            double done = seconds / slowDown(allocation);
            var later = new Preparation(
                    seen.id(),
                    seen.tenant(),
                    seen.arrival(),
                    seen.spec(),
                    Math.max(0, seen.remainingSeconds() - done),
                    allocation,
                    seen.activity());
            return new ActivePreparation(later, Math.max(0, left - done));
        }
    }

    private PreparationRollout(
            RoundProblem problem, Map<String, Allocation> trainingAllocations, Map<String, Double> stretches) {
        this.problem = problem;
        this.trainingAllocations = trainingAllocations;
        this.stretches = stretches;
        this.now = problem.now();
    }

    /**
     * Simulates from {@code problem} and its plan to {@code until}.
     *
     * @param plan null without a plan
     * @param stretches stretch factor of the work, by preparation
     * @param mayContinue checked before each plan; the simulation stops if it returns false
     */
    static Rollout replay(
            RoundProblem problem,
            Map<String, Allocation> trainingAllocations,
            @Nullable PreparationPlan plan,
            Map<String, Double> stretches,
            double until,
            BooleanSupplier mayContinue) {
        var course = new PreparationRollout(problem, trainingAllocations, stretches);
        course.begin(plan);
        double reached = course.run(until, mayContinue);
        return new Rollout(course.timesById, reached, course.rounds);
    }

    private void begin(@Nullable PreparationPlan plan) {
        Set<String> run = plan == null
                ? Set.of()
                : plan.running().stream().map(PlannedPreparation::jobId).collect(Collectors.toSet());
        for (Preparation preparation : problem.preparations()) {
            double left = preparation.remainingSeconds() * stretches.getOrDefault(preparation.id(), 1.0);
            boolean runs = run.contains(preparation.id());
            activePreparations.put(
                    preparation.id(), new ActivePreparation(runs ? preparation : preparation.withGrant(null), left));
        }
        if (plan != null) {
            give(plan);
        }
    }

    /** Applies a plan. */
    private void give(PreparationPlan plan) {
        plan.running().forEach(planned -> {
            ActivePreparation known = activePreparations.get(planned.jobId());
            if (known != null) {
                if (known.seen().grant() == null) {
                    timesById.put(planned.jobId(), new SimulatedTimes(now, null));
                }
                activePreparations.put(
                        planned.jobId(), new ActivePreparation(known.seen().withGrant(planned.grant()), known.left()));
            }
        });
    }

    private double run(double until, BooleanSupplier mayContinue) {
        while (!activePreparations.isEmpty()) {
            double next = activePreparations.values().stream()
                    .mapToDouble(each -> each.end(now))
                    .min()
                    .orElse(Double.POSITIVE_INFINITY);
            if (next > until) {
                return until;
            }
            passUntil(next);
            boolean waits = activePreparations.values().stream()
                    .anyMatch(each -> each.seen().grant() == null);
            if (waits) {
                if (!mayContinue.getAsBoolean()) {
                    return now;
                }
                plan();
            }
        }
        return Double.POSITIVE_INFINITY;
    }

    private void passUntil(double next) {
        List<String> ended = new ArrayList<>();
        activePreparations.replaceAll((id, each) -> {
            if (each.end(now) <= next) {
                ended.add(id);
            }
            return each.after(next - now);
        });
        now = next;
        for (String id : ended) {
            activePreparations.remove(id);
            SimulatedTimes times = timesById.getOrDefault(id, new SimulatedTimes(null, null));
            timesById.put(id, new SimulatedTimes(times.started(), now));
        }
    }

    private void plan() {
        rounds++;
        List<Preparation> seenPreparations = activePreparations.values().stream()
                .map(ActivePreparation::seen)
                .sorted(Comparator.comparing(Preparation::id))
                .toList();
        give(PreparationPlanner.plan(problem.at(now).withPreparations(seenPreparations), trainingAllocations));
    }
}
