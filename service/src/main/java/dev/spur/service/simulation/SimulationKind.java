package dev.spur.service.simulation;

/** Kinds of work of the simulation worker. */
enum SimulationKind {
    /** Replays of a trace under chosen policies. */
    SIMULATION,
    /** Replays of a past time range, with the regret by cause. */
    SELF_AUDIT
}
