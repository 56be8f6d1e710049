package dev.spur.solver.candidate;

/** Why nothing could be offered for a job. */
public enum NoCandidateReason {
    /** Something was offered. */
    NONE,
    /** No class of nodes is of a type and pool that the job allows and its profile knows. */
    NO_MATCHING_NODES,
    /** Some class is, but no allowed batch size fits its devices. */
    BATCH_EXCEEDS_GPU_MEMORY,
    /** Some class is, but holds too few slots or nodes, or gives too little CPU, memory or aggregation. */
    UNSATISFIABLE,
    /** It would run, but nothing is gained by it within the horizon. */
    NO_GAIN
}
