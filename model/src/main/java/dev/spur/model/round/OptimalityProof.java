package dev.spur.model.round;

/** Source of the bound that proves a plan optimal. */
public enum OptimalityProof {
    /** The bound of the relaxation, or its reduced costs, exclude better plans. */
    BOUND,
    /** A solver of integer programs excluded better plans. */
    SEARCH
}
