package dev.spur.service.store;

/** Conditions and numbers that statements take from restorations. */
final class RestoreConditions {
    /** True while executors of a restored database have time to say what they run, so that nothing may be started. */
    static final String QUIET =
            "exists (select from restoration where quiet_until is null or quiet_until > clock_timestamp())";

    /** The number above which rounds, revisions of plans and generations go on; 0 if nothing was ever restored. */
    static final String FLOOR = "(select coalesce(max(number_floor), 0) from restoration)";

    private RestoreConditions() {}
}
