package dev.spur.solver.policy;

import dev.spur.solver.solve.CpSat;
import dev.spur.solver.solve.Highs;
import java.util.List;

/** The policies by name. */
public final class Policies {
    private static final Policy SPUR = new DataPreparationPolicy(new SpurPolicy("spur", new DecompositionSolver()));
    private static final Policy CP_SAT =
            new DataPreparationPolicy(new SpurPolicy("cp-sat", new MonolithicSolver(CpSat::solve)));
    private static final Policy HIGHS =
            new DataPreparationPolicy(new SpurPolicy("highs", new MonolithicSolver(Highs::solve)));
    private static final Policy GREEDY = new DataPreparationPolicy(new SpurPolicy("greedy", new GreedySolver()));
    private static final List<Policy> ALL = List.of(SPUR, CP_SAT, HIGHS, GREEDY);

    private Policies() {}

    /** Spur's own policy: prices, and the integer program where they leave the choice open. */
    public static Policy spur() {
        return SPUR;
    }

    /** The same program handed to CP-SAT as a whole, for comparison. */
    public static Policy cpSat() {
        return CP_SAT;
    }

    /** The same program handed to HiGHS as a whole, for comparison; its plan may differ from run to run. */
    public static Policy highs() {
        return HIGHS;
    }

    /** No solver: the last plan, repaired, and waiting jobs in the order of worth per slot wherever they fit. */
    public static Policy greedy() {
        return GREEDY;
    }

    /**
     * {@code policy} for the training jobs, with preparations of data planned beside them; without any nothing is
     * different.
     */
    public static Policy preparing(Policy policy) {
        return policy instanceof DataPreparationPolicy ? policy : new DataPreparationPolicy(policy);
    }

    /** All policies; their names are unique. */
    public static List<Policy> all() {
        return ALL;
    }
}
