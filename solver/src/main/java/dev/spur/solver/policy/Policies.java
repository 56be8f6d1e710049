package dev.spur.solver.policy;

import dev.spur.solver.decomposition.Decomposition;
import dev.spur.solver.placement.PlacementResult;
import dev.spur.solver.placement.Placer;
import dev.spur.solver.solve.SolveResult;

/** Spur's own policies. */
public final class Policies {
    private static final Solver DECOMPOSITION = (candidates, obligations, filledPlacement, budget, steps) ->
            Decomposition.solve(candidates, obligations, filledPlacement, budget, steps)
                    .orFallback(candidates, obligations, filledPlacement);
    private static final Policy SPUR = of("spur", DECOMPOSITION);
    private static final Policy GREEDY = of("greedy", (candidates, obligations, filledPlacement, budget, steps) -> {
        PlacementResult placement = steps.time("placement", () -> Placer.place(candidates, filledPlacement));
        return SolveResult.withoutBound(placement, false);
    });

    private Policies() {}

    /** Returns Spur's policy: decomposition, and the integer program for the choices that it leaves open. */
    public static Policy spur() {
        return SPUR;
    }

    /** Returns the solver of {@link #spur}. */
    public static Solver decomposition() {
        return DECOMPOSITION;
    }

    /**
     * Returns the greedy policy: the last plan, repaired, and pending jobs by utility per slot wherever they fit. It
     * proves nothing, and meets hard commitments only by chance.
     */
    public static Policy greedy() {
        return GREEDY;
    }

    /**
     * Returns the policy {@code name}: the hard commitments and data preparations of Spur's policy, with
     * {@code solver}.
     */
    public static Policy of(String name, Solver solver) {
        return preparing(new SpurPolicy(name, solver));
    }

    /**
     * Returns {@code policy} for the training jobs, with data preparations planned alongside; without any it is
     * unchanged.
     */
    public static Policy preparing(Policy policy) {
        return policy instanceof DataPreparationPolicy ? policy : new DataPreparationPolicy(policy);
    }
}
