package dev.spur.connectors;

/** Granularity at which a platform accepts placements. */
public enum PlacementGranularity {
    /** Slots by node. */
    NODES,
    /** Slots by pool. The platform chooses the nodes at each start. */
    POOLS
}
