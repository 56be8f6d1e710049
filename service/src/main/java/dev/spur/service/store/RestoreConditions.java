package dev.spur.service.store;

/** Conditions and numbers that statements take from restorations. */
final class RestoreConditions {
    /** True while executors of a restored database have time to say what they run, so that nothing may be started. */
    static final String QUIET =
            "exists (select from restoration where recovery_ends_at is null or recovery_ends_at > clock_timestamp())";

    /** The number above which rounds, revisions of plans and generations go on; 0 if nothing was ever restored. */
    static final String FLOOR = "(select coalesce(max(min_next_number), 0) from restoration)";

    private RestoreConditions() {}
}
