package dev.spur.simulator.trace;

/** How much policies are told of the speed of jobs. Traces that know no speeds make no difference. */
public enum InformationLevel {
    /** Everything that is true. */
    ORACLE,
    /** Little at first, and more with each configuration that a job has run in, by the rules of the trace's authors. */
    BOOTSTRAP,
    /** The same at first, and then what Spur predicts from what the job and others of its family have run in. */
    PREDICTED,
    /** The same, and jobs are measured in short runs of their own at first, in shapes that tell most. */
    PROFILED
}
