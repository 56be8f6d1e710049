package dev.spur.service.store;

/** Channels on which replicas tell each other to look again. What is told is a hint; the rows are the truth. */
public final class NotificationChannel {
    /** A plan was published; the payload is its revision. */
    public static final String PLAN = "spur_plan";

    /** Something changed that is worth an early round; the payload says what. */
    public static final String CHANGED = "spur_changed";

    /** New estimates were made; the payload is the revision of the plan that they begin with. */
    public static final String ESTIMATES = "spur_estimates";

    /** Assignments may have changed; the payload is the node whose they are, or empty for all nodes. */
    public static final String EXECUTORS = "spur_executors";

    /** A token was revoked; the payload is its id. */
    public static final String TOKENS = "spur_tokens";

    private NotificationChannel() {}
}
