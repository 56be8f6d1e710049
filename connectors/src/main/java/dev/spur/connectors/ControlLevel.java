package dev.spur.connectors;

/** Control level of a connector: what it may change on its platform. Each level includes those before it. */
public enum ControlLevel {
    /** Read. */
    OBSERVE,
    /** Put waiting jobs into the order of the plan; the platform decides when each starts, and where. */
    PRIORITIZE,
    /** Decide who starts, where, and who stops. Sizes stay as they were asked for. */
    ADMIT,
    /** Change the size and the place of jobs that run. */
    RESIZE;

    /** True if this level allows all that {@code other} allows. */
    public boolean includes(ControlLevel other) {
        return compareTo(other) >= 0;
    }
}
