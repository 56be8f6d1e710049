package dev.spur.solver.policy;

import dev.spur.solver.solve.CpSat;
import dev.spur.solver.solve.Highs;
import java.util.List;

/** Policies by name. */
public final class Policies {
    private static final Policy SPUR = new DataPreparationPolicy(new SpurPolicy("spur", new DecompositionSolver()));
    private static final Policy CP_SAT =
            new DataPreparationPolicy(new SpurPolicy("cp-sat", new MonolithicSolver(CpSat::solve)));
    private static final Policy HIGHS =
            new DataPreparationPolicy(new SpurPolicy("highs", new MonolithicSolver(Highs::solve)));
    private static final Policy GREEDY = new DataPreparationPolicy(new SpurPolicy("greedy", new GreedySolver()));
    private static final List<Policy> ALL = List.of(SPUR, CP_SAT, HIGHS, GREEDY);

    private Policies() {}

    /** Returns Spur's own policy: decomposition, and the integer program for the choices that it leaves open. */
    public static Policy spur() {
        return SPUR;
    }

    /** Returns the same program solved by CP-SAT as a whole, for comparison. */
    public static Policy cpSat() {
        return CP_SAT;
    }

    /** Returns the same program solved by HiGHS as a whole, for comparison; its plan may differ from run to run. */
    public static Policy highs() {
        return HIGHS;
    }

    /** Returns the greedy policy: the last plan, repaired, and pending jobs by utility per slot wherever they fit. */
    public static Policy greedy() {
        return GREEDY;
    }

    /**
     * Returns {@code policy} for the training jobs, with data preparations planned alongside; without any it is
     * unchanged.
     */
    public static Policy preparing(Policy policy) {
        return policy instanceof DataPreparationPolicy ? policy : new DataPreparationPolicy(policy);
    }

    /** Returns all policies; their names are unique. */
    public static List<Policy> all() {
        return ALL;
    }
}
