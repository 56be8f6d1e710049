package dev.spur.agent.protocol;

/** How an agent limits the host resources of runs. */
public enum HostEnforcement {
    /** CPU time and memory, by control groups of version 2. */
    CGROUP,
    /** Whole CPUs, by scheduling affinity. */
    AFFINITY,
    /** Not at all. */
    NONE
}
