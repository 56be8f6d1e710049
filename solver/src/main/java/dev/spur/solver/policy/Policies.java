package dev.spur.solver.policy;

/** Spur's own policies. */
public final class Policies {
    private static final Policy SPUR = of("spur", new DecompositionSolver());
    private static final Policy GREEDY = of("greedy", new GreedySolver());

    private Policies() {}

    /** Returns Spur's policy: decomposition, and the integer program for the choices that it leaves open. */
    public static Policy spur() {
        return SPUR;
    }

    /** Returns the greedy policy: the last plan, repaired, and pending jobs by utility per slot wherever they fit. */
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
