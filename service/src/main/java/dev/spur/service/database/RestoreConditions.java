package dev.spur.service.database;

/** SQL expressions that depend on the recovery from a restore. */
public final class RestoreConditions {
    /**
     * Condition that holds during the recovery period, while executors of a restored database report their assignments.
     * Jobs must not be started then.
     */
    public static final String QUIET =
            "exists (select from restoration where recovery_ends_at is null or recovery_ends_at > clock_timestamp())";

    /** Lower limit of new round numbers, plan revisions and generations; 0 if the database was never restored. */
    public static final String FLOOR = "(select coalesce(max(min_next_number), 0) from restoration)";

    private RestoreConditions() {}
}
