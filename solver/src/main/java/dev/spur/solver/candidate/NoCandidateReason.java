package dev.spur.solver.candidate;

/** Reason why a job has no candidate. */
public enum NoCandidateReason {
    /** The job has candidates. */
    NONE,
    /** No class of nodes has an allowed type and pool for which the throughput is known. */
    NO_MATCHING_NODES,
    /** A class matches, but no allowed batch size fits the memory of its devices. */
    BATCH_EXCEEDS_GPU_MEMORY,
    /** A class matches, but no allowed batch size divides into equal shares on the numbers of slots that fit. */
    BATCH_NOT_DIVISIBLE,
    /** A class matches, but the profile has no throughput above 0 for a configuration that fits. */
    NO_THROUGHPUT,
    /** A class matches, but has too few slots or nodes, or too little CPU, memory or aggregation. */
    UNSATISFIABLE,
    /** The job would run, but gains nothing within the planning horizon. */
    NO_GAIN
}
