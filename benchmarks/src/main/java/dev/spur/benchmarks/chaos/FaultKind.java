package dev.spur.benchmarks.chaos;

/** Kind of a fault, with the component that it hits. */
public enum FaultKind {
    /** A node drains, so its jobs stop or move. */
    DRAIN(Target.NODE),
    /** A running job is held, and released later. */
    HOLD(Target.JOB),
    /** A rank is killed. */
    KILL_RANK(Target.JOB),
    /** An agent is killed, and started again later. */
    KILL_AGENT(Target.NODE),
    /** An agent is stopped by SIGSTOP, so that its node is silent. */
    SILENCE_AGENT(Target.NODE),
    /** The connections of an agent carry nothing. */
    STALL_AGENT(Target.NODE),
    /** The connections of an agent are closed, and new ones as well. */
    CUT_AGENT(Target.NODE),
    /** The disk with the state and the logs of an agent is full. */
    FILL_DISK(Target.NODE),
    /** The disk with the checkpoints is full. */
    FILL_CHECKPOINTS(Target.CHECKPOINTS),
    /** A replica is killed, and started again later. */
    KILL_REPLICA(Target.REPLICA),
    /** The connections of a replica to the database carry nothing. */
    STALL_DATABASE(Target.REPLICA),
    /** The clock of the database jumps by up to an hour. */
    JUMP_CLOCK(Target.DATABASE),
    /** The database is killed, and started again later. */
    KILL_DATABASE(Target.DATABASE);

    /** Component that a fault hits. At most one fault at a time hits each. */
    enum Target {
        NODE(ChaosSite.NODES),
        REPLICA(ChaosSite.REPLICAS),
        JOB(1),
        CHECKPOINTS(1),
        DATABASE(1);

        final int count;

        Target(int count) {
            this.count = count;
        }
    }

    final Target target;

    FaultKind(Target target) {
        this.target = target;
    }
}
