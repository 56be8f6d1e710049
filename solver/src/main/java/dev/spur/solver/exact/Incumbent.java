package dev.spur.solver.exact;

import dev.spur.model.allocation.Allocation;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.PartialPlacement;
import dev.spur.solver.placement.PlacementResult;
import dev.spur.solver.placement.StallLoss;
import dev.spur.solver.program.Obligation;
import dev.spur.solver.relaxation.CouplingConstraints;
import dev.spur.solver.solve.PlacedObjective;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

/**
 * Best plan so far with its placement and objective value. A plan that violates a hard obligation has the value minus
 * infinity, because it is not feasible: every plan that satisfies all of them replaces it.
 */
final class Incumbent {
    private final CandidateSet candidates;
    private final CouplingConstraints constraints;
    private final List<Obligation> obligations;
    private final PlacedObjective objective;
    private final List<StallLoss> losses = new ArrayList<>();
    private int[] choice;
    private PlacementResult placement;
    private double worth;

    /**
     * Creates the first incumbent.
     *
     * @param choice candidate of each job; -1 for waiting
     * @param placement placement of {@code choice}
     */
    Incumbent(CouplingConstraints constraints, List<Obligation> obligations, int[] choice, PlacementResult placement) {
        this.candidates = constraints.candidates();
        this.constraints = constraints;
        this.obligations = obligations;
        this.objective = new PlacedObjective(candidates);
        this.choice = choice.clone();
        this.placement = placement;
        this.worth = meetsObligations() ? placedWorth(this.choice, placement) : Double.NEGATIVE_INFINITY;
        this.losses.addAll(placement.losses());
    }

    /** Returns the candidate of each job; -1 for waiting. Not to be modified; a better plan has another array. */
    int[] choice() {
        return choice;
    }

    PlacementResult placement() {
        return placement;
    }

    /** Returns the objective value of the placed plan; minus infinity if it violates a hard obligation. */
    double worth() {
        return worth;
    }

    /** Returns the losses by stalls of all placements so far, which the program charges. */
    List<StallLoss> losses() {
        return losses;
    }

    /** Returns whether the plan satisfies all hard obligations. */
    boolean meetsObligations() {
        return obligations.stream()
                .allMatch(obligation -> obligation.candidates().contains(choice[obligation.job()]));
    }

    /** Returns the objective value in the program; minus infinity if the plan violates a hard obligation. */
    double programWorth() {
        return Double.isInfinite(worth) ? worth : programWorth(choice);
    }

    /** Returns the objective value of the program: the utilities of the candidates less the losses with a cut. */
    double programWorth(int[] plan) {
        double sum = 0;
        for (int c : plan) {
            sum += c < 0 ? 0 : constraints.worth(c);
        }
        Map<Integer, Double> lost = new HashMap<>();
        for (StallLoss loss : losses) {
            if (loss.candidates().stream().allMatch(c -> plan[candidates.get(c).job()] == c)) {
                lost.merge(loss.nodeClass(), loss.utility(), Math::max);
            }
        }
        return sum - lost.values().stream().mapToDouble(loss -> loss).sum();
    }

    /**
     * Takes over a placed plan if all its jobs are placed and its objective value is higher; records its losses.
     * Returns whether the plan was taken over.
     */
    boolean offer(int[] plan, PlacementResult placed) {
        double value = placedWorth(plan, placed);
        boolean better = placed.unplaced().isEmpty() && value > worth;
        if (better) {
            choice = plan;
            placement = placed;
            worth = value;
        }
        losses.addAll(placed.losses());
        return better;
    }

    /** Returns the utilities of the candidates less those that the placed jobs lose. */
    private double placedWorth(int[] plan, PlacementResult placed) {
        double sum = 0;
        for (int j = 0; j < plan.length; j++) {
            if (plan[j] >= 0) {
                Allocation allocation = placed.allocations().get(j);
                double limit = constraints.worth(plan[j]);
                sum += allocation != null && candidates.get(plan[j]).mayLose()
                        ? Math.min(limit, objective.utility(candidates.job(j), allocation))
                        : limit;
            }
        }
        return sum;
    }

    /**
     * Returns {@code plan} with the nodes and shared devices of the jobs that {@code which} accepts, except those that
     * keep their allocation.
     */
    PartialPlacement placementOf(int[] plan, IntPredicate which) {
        Map<Integer, List<Integer>> nodes = new HashMap<>();
        Map<Integer, Integer> devices = new HashMap<>();
        placement.allocations().forEach((j, allocation) -> {
            if (which.test(j) && !candidates.get(choice[j]).isRetained()) {
                nodes.put(j, PartialPlacement.nodesOf(allocation, candidates.clusterIndex()));
                devices.put(j, PartialPlacement.deviceOf(allocation.placement().get(0), candidates.clusterIndex()));
            }
        });
        return new PartialPlacement(plan, nodes, devices);
    }
}
