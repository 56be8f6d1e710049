package dev.spur.service.database;

/**
 * Channels of notifications between replicas. A notification is a hint to read the rows again; the rows are
 * authoritative.
 */
public final class NotificationChannel {
    /** A plan was published; the payload is its revision. */
    public static final String PLAN = "spur_plan";

    /** A change justifies an early round; the payload names the change. */
    public static final String CHANGED = "spur_changed";

    /** New estimates were stored; the payload is the revision of the plan that they start from. */
    public static final String ESTIMATES = "spur_estimates";

    /** Assignments may have changed; the payload is their node, or empty for all nodes. */
    public static final String EXECUTORS = "spur_executors";

    /** A token was revoked; the payload is its id. */
    public static final String TOKENS = "spur_tokens";

    /** Output of a job was uploaded; the payload is the id of the job. */
    public static final String LOGS = "spur_logs";

    /** Webhooks were added or changed. */
    public static final String WEBHOOKS = "spur_webhooks";

    private NotificationChannel() {}
}
