package dev.spur.simulator.trace;

/**
 * Amount of information on job speeds that policies receive. The level has no effect on traces without measured speeds.
 */
public enum InformationLevel {
    /** The ground truth. */
    ORACLE,
    /**
     * Little at first, and more with each configuration in which a job has run, by the rules of the trace's authors.
     */
    BOOTSTRAP,
    /**
     * As {@link #BOOTSTRAP} at first, then the predictions of Spur from the configurations of the job and of its
     * family.
     */
    PREDICTED,
    /** As {@link #PREDICTED}, with short profiling runs at first, in the most informative shapes. */
    PROFILED
}
