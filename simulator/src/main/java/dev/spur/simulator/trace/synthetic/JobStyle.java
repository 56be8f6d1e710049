package dev.spur.simulator.trace.synthetic;

/** Which side chooses the slots and the batch size of a job: the trace, the policy or the user. */
public enum JobStyle {
    /** The trace: exactly the drawn slots for the drawn time, with the same speed on every type and placement. */
    RIGID,
    /** The policy, including the batch size: speed, scaling and gradient noise are those of a synthetic model. */
    ELASTIC,
    /**
     * The policy, from the requested slots to four times as many, at the one batch size that is fastest on the
     * requested slots. Speed and scaling are those of a synthetic model.
     */
    RANGED,
    /**
     * The policy, including the batch size, within a range in which each sample contributes the same progress. The
     * user's own batch size is log-uniform in the range. The user requests the minimum number of slots whose memory
     * holds it. Passes of the synthetic models take long even if they are almost empty. Source of the setting: Saxena
     * et al., arXiv 2006.13878.
     */
    BATCH_RANGE,
    /** The same, but the user's own batch size is the smallest of the range, and the user requests one slot. */
    SMALLEST_BATCH
}
