package dev.spur.solver.policy;

import dev.spur.model.allocation.Allocation;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.program.Obligation;
import dev.spur.solver.resource.RestartLimit;
import dev.spur.solver.solve.PlacedObjective;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Allocations of the decided jobs of a solve by classes. Later stages may exchange candidates of equal utility. */
final class DecidedJobs {
    /** Relative tolerance for equal utilities. */
    private static final double ROUNDING = 1e-9;
    /** Relative tolerance for a loss by rounding. */
    private static final double MAX_LOSS = 1e-6;

    private final CandidateSet candidates;
    private final PlacedObjective objective;
    private final RestartLimit restarts;
    private final Map<Integer, Integer> chosen = new HashMap<>();
    private final Map<Integer, Double> utilities = new HashMap<>();
    private final Map<Integer, List<Integer>> committed = new HashMap<>();

    DecidedJobs(CandidateSet candidates) {
        this.candidates = candidates;
        this.objective = new PlacedObjective(candidates);
        this.restarts = RestartLimit.of(candidates);
    }

    /** Records what job {@code j} has in {@code plan}. */
    void add(int j, StandingPlan plan) {
        Allocation allocation = plan.placement().allocations().get(j);
        if (allocation != null) {
            chosen.put(j, plan.choice()[j]);
            utilities.put(j, objective.utility(candidates.job(j), allocation));
        }
    }

    /** Records that the plan meets {@code obligation}, with candidates of the round. */
    void commit(Obligation obligation) {
        committed.put(obligation.job(), obligation.candidates());
    }

    /** Returns the jobs with a commitment that the plan meets. */
    List<Obligation> commitments() {
        return committed.entrySet().stream()
                .map(entry -> new Obligation(entry.getKey(), entry.getValue()))
                .collect(Collectors.toList());
    }

    /** Returns the restart limit of the round. */
    RestartLimit restarts() {
        return restarts;
    }

    /** Returns the utility that job {@code j} got; 0 if it waits. */
    double utility(int j) {
        return utilities.getOrDefault(j, 0.0);
    }

    /**
     * Returns whether job {@code j}, which is decided, may have candidate {@code c} in later stages: its own, or one of
     * the same utility that meets its commitment.
     */
    boolean allows(int j, int c) {
        Integer own = chosen.get(j);
        if (own == null) {
            return false;
        }
        double attained = utility(j);
        return own == c
                || (!candidates.get(c).mayLose()
                        && Math.abs(candidates.get(c).utility() - attained)
                                <= ROUNDING * Math.max(1, Math.abs(attained))
                        && committed.getOrDefault(j, List.of(c)).contains(c));
    }

    /** Returns whether each decided job has in {@code plan} at least what it got, up to rounding. */
    boolean hold(StandingPlan plan) {
        return chosen.keySet().stream().allMatch(j -> {
            Allocation allocation = plan.placement().allocations().get(j);
            double attained = utility(j);
            return allocation != null
                    && objective.utility(candidates.job(j), allocation)
                            >= attained - MAX_LOSS * Math.max(1, Math.abs(attained));
        });
    }

    /** Returns the sum of the utilities of {@code jobs} in {@code plan}. */
    double value(StandingPlan plan, Iterable<Integer> jobs) {
        double sum = 0;
        for (int j : jobs) {
            Allocation allocation = plan.placement().allocations().get(j);
            sum += allocation == null ? 0 : objective.utility(candidates.job(j), allocation);
        }
        return sum;
    }
}
