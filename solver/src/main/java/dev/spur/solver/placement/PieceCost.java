package dev.spur.solver.placement;

/** Cost of a piece on a node that holds it, in addition to the slots. */
@FunctionalInterface
public interface PieceCost {
    /** Returns the cost of {@code piece} slots of {@code demand} on node {@code v}. */
    double of(int v, int piece, ResourceDemand demand);

    /** Returns a lower bound on the cost of the piece over all nodes. */
    default double min(int piece, ResourceDemand demand) {
        return 0;
    }
}
