package dev.spur.connectors;

/** Control level of a connector: what it may change on its platform. Each level includes those before it. */
public enum ControlLevel {
    /** Read only. */
    OBSERVE,
    /** Order the queue by the plan. The platform decides when and where each job starts. */
    PRIORITIZE,
    /** Decide which jobs start and stop, and where they run. Their sizes stay as requested. */
    ADMIT,
    /** Change the size and the placement of running jobs. */
    RESIZE;

    /** Returns true if this level permits all actions of {@code other}. */
    public boolean includes(ControlLevel other) {
        return compareTo(other) >= 0;
    }
}
