package dev.spur.model.round;

/**
 * Why slots are idle: the state of their nodes, or the reason of the jobs that could use them. Rounds do not state the
 * last three, which concern devices that a round does not plan, and the time after it.
 */
public enum IdleReason {
    /** The nodes are cordoned, draining or in maintenance. */
    NODE_UNAVAILABLE("The nodes are cordoned, draining or in maintenance."),
    /** The slots are reserved, or held free for a job that has waited longest. */
    RESERVED("The slots are reserved, or held free for a job that has waited beyond its limit."),
    /** No waiting job accepts the type, and no running job may use more slots of it. */
    NO_JOB("No waiting job accepts the type, and no running job may use more slots of it."),
    /** The jobs that accept the type require other nodes. */
    NODES_EXCLUDED("The jobs that accept the type require other nodes."),
    /** The next larger gang fits on the slots, but not within one domain of the topology that the jobs require. */
    TOPOLOGY(
            "The next larger gang fits on the slots, but not within one domain of the topology that the jobs require."),
    /** Running jobs have the most slots that they allow. */
    MAX_SLOTS("Running jobs have the most slots that they allow."),
    /** The speed of the jobs on these slots is unknown. */
    UNKNOWN_SPEED("The speed of the jobs on these slots is unknown."),
    /** The jobs have no configuration on these slots. */
    NO_CONFIGURATION("The jobs have no configuration on these slots, for example because of batch size or memory."),
    /** The next larger gang of the jobs needs more slots, or slots on fewer nodes. */
    GANG_SIZE("The next larger gang of the jobs needs more slots, or slots on fewer nodes."),
    /** CPU or memory of the nodes do not suffice. */
    HOST_RESOURCES("CPU or memory of the nodes do not suffice."),
    /** The quota of the tenant leaves too few slots. */
    QUOTA("The quota of the tenant leaves too few slots."),
    /** The limit of the job group leaves too few slots or jobs. */
    GROUP_LIMIT("The limit of the job group leaves too few slots or jobs."),
    /** Too few aggregation slots are free. */
    AGGREGATION("Too few aggregation slots are free."),
    /** The jobs are not preemptible, or started recently. */
    PROTECTED("The jobs are not preemptible, or started or changed recently."),
    /** A restart costs more than the slots gain. */
    RESTART_COST("A restart costs more than the slots gain."),
    /** The limit of restarts in a round is reached. */
    RESTART_LIMIT("The limit of restarts in a round is reached."),
    /** More slots of the type have no higher utility. */
    NO_GAIN("More slots of the type have no higher utility."),
    /** The plan leaves the slots idle within its optimality gap. */
    OPTIMALITY_GAP("The jobs could use the slots; the plan leaves them idle within its optimality gap."),
    /** The devices are quarantined. */
    QUARANTINED("The devices are quarantined, because they were not healthy."),
    /** The executor of the nodes starts no process. */
    NO_PROCESS("The executor of the nodes starts no process."),
    /** The last round did not state the slots. */
    RELEASED("The slots became idle after the last round; the next round plans them.");

    private final String cause;

    IdleReason(String cause) {
        this.cause = cause;
    }

    /** Returns the cause, one sentence. */
    public String cause() {
        return cause;
    }
}
