package dev.spur.solver.program;

import com.google.ortools.sat.Constraint;

/**
 * Constraints of the integer program. Each row has the name of its constraint. docs/model/formulation.md states the
 * formulas.
 */
enum RoundConstraint {
    /** A job has at most one configuration. */
    CONFIGURATION,
    /** The slots of a node are held once; the pieces of a gang are on distinct nodes. */
    SLOTS,
    /** CPUs and memory of a host are not oversubscribed. */
    HOSTS,
    /** Aggregation slots of a pool are not oversubscribed. */
    AGGREGATION,
    /** An account stays within its limit, and borrows no slot that another one reserves. */
    QUOTAS,
    /** A job group stays within its slots and running jobs. */
    GROUP_CAPS,
    /** The number of jobs that lose their allocation is limited. */
    RESTARTS,
    /** A job with a commitment runs in a configuration that meets it. */
    COMMITMENT,
    /** Candidates for which no placement exists are not chosen together. */
    CONFLICT_CUT,
    /** The objective loses what candidates lose in every placement of them. */
    LOSS_CUT;

    /** Names {@code row} after this constraint. */
    void nameRow(Constraint row) {
        row.getBuilder().setName(name());
    }
}
