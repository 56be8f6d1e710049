package dev.spur.solver.policy;

import java.util.List;

/** The policies by name. */
public final class Policies {
    private static final Policy SPUR = new SpurPolicy("spur", new PricesAndCore());
    private static final Policy CP_SAT = new SpurPolicy("cp-sat", new WholeProgram());
    private static final List<Policy> ALL = List.of(SPUR, CP_SAT);

    private Policies() {}

    /** Spur's own policy: prices, and the integer program where they leave the choice open. */
    public static Policy spur() {
        return SPUR;
    }

    /** The same program handed to CP-SAT as a whole, for comparison. */
    public static Policy cpSat() {
        return CP_SAT;
    }

    /** All policies; their names are unique. */
    public static List<Policy> all() {
        return ALL;
    }
}
