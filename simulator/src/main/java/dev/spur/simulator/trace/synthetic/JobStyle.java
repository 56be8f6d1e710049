package dev.spur.simulator.trace.synthetic;

/** Who chooses the slots of a job. */
public enum JobStyle {
    /** The trace: exactly so many slots for so many seconds, equally fast on every type and placement. */
    RIGID,
    /** The policy, and the batch size too: speed, scaling and gradient noise are those of a made-up model. */
    ELASTIC
}
