package dev.spur.solver.policy;

import dev.spur.solver.solve.CpSat;
import dev.spur.solver.solve.Highs;
import java.util.List;

/** The policies by name. */
public final class Policies {
    private static final Policy SPUR = new Preparing(new SpurPolicy("spur", new PricesAndCore()));
    private static final Policy CP_SAT = new Preparing(new SpurPolicy("cp-sat", new WholeProgram(CpSat::solve)));
    private static final Policy HIGHS = new Preparing(new SpurPolicy("highs", new WholeProgram(Highs::solve)));
    private static final Policy GREEDY = new Preparing(new SpurPolicy("greedy", new FillOnly()));
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

    /** {@code policy} for the training jobs, with preparations of data planned beside them; without any nothing is different. */
    public static Policy preparing(Policy policy) {
        return policy instanceof Preparing ? policy : new Preparing(policy);
    }

    /** All policies; their names are unique. */
    public static List<Policy> all() {
        return ALL;
    }
}
