package dev.spur.solver.pricing;

import dev.spur.model.job.HostDemand;
import dev.spur.solver.placement.ResidualCluster;
import java.util.List;

/** Relaxation of the capacity of nodes as rows of the coupling constraints. */
interface CapacityRelaxation {
    /** Adds to {@code entries} the use of rows by the pieces of one job, all on nodes of class {@code k}. */
    void addPieces(int k, List<Integer> pieces, HostDemand demand, SparseMatrixBuilder entries);

    /** Returns the price of one piece on a node of class {@code k}. */
    double price(int k, int piece, HostDemand demand, double[] prices);

    /**
     * Writes start prices of pieces into {@code start}, by row, if these rows price pieces. They follow from the
     * {@code prices} of the rows of {@code other}.
     */
    void startFrom(CapacityRelaxation other, double[] prices, double[] start);

    /**
     * Returns an upper bound on the value of node {@code v} of class {@code k} at {@code prices}: of its slots, CPUs
     * and memory without those of pinned jobs.
     */
    double worthOfNode(int k, int v, double[] prices);

    /** Returns the cost of a piece on a node in addition to its price: the loss of value of the remaining capacity. */
    ResidualCluster.PieceCost costOn(ResidualCluster room, double[] prices);

    /** Returns the subproblems that cut nodes into pieces; empty if the capacities of the rows suffice. */
    List<Subproblem> blocks();
}
