package dev.spur.connectors;

/** How exactly a platform can be told where a job is to run. */
public enum PlacementGranularity {
    /** So many slots on each of these nodes. */
    NODES,
    /** So many slots in this pool. The platform chooses the nodes, anew at each start. */
    POOLS
}
