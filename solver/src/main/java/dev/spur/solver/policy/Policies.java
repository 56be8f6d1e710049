package dev.spur.solver.policy;

import java.util.List;

/** The policies by name. */
public final class Policies {
    private static final List<Policy> ALL = List.of(new SpurPolicy());

    private Policies() {}

    /** Spur's own policy: the program of the round, solved within the budget. */
    public static Policy spur() {
        return ALL.get(0);
    }

    /** All policies; their names are unique. */
    public static List<Policy> all() {
        return ALL;
    }
}
