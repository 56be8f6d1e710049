package dev.spur.connectors;

/** What a connector may do. Each mode includes those before it. */
public enum Mode {
    /** Read. */
    OBSERVE,
    /** Put waiting jobs into the order of the plan; the platform decides when each starts, and where. */
    ORDER,
    /** Decide who starts, where, and who stops. Sizes stay as they were asked for. */
    GATE,
    /** Change the size and the place of jobs that run. */
    ELASTIC;

    /** True if this mode allows all that {@code other} allows. */
    public boolean includes(Mode other) {
        return compareTo(other) >= 0;
    }
}
