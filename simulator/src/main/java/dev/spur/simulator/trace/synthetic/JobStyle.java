package dev.spur.simulator.trace.synthetic;

/** Who chooses the slots of a job, and its batch size. */
public enum JobStyle {
    /** The trace: exactly so many slots for so many seconds, equally fast on every type and placement. */
    RIGID,
    /** The policy, and the batch size too: speed, scaling and gradient noise are those of a made-up model. */
    ELASTIC,
    /**
     * The policy, from the slots asked for to four times as many, at the one batch size that is fastest on those asked
     * for. Speed and scaling are those of a made-up model.
     */
    RANGED,
    /**
     * The policy, and the batch size too, within a range in which each sample counts the same. The user's own batch
     * size is drawn from the range, even in the exponent; he asks for the fewest slots whose memory holds it. Passes of
     * the made-up models take long even if they are almost empty. Source of the setting: Saxena et al., arXiv
     * 2006.13878.
     */
    BATCH_RANGE,
    /** The same, but each user's own batch size is the smallest of the range, and he asks for one slot. */
    SMALLEST_BATCH
}
