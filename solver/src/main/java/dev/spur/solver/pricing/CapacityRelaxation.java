package dev.spur.solver.pricing;

import dev.spur.model.job.HostDemand;
import dev.spur.solver.placement.ResidualCluster;
import java.util.List;

/** How the rows state what nodes can hold. */
interface CapacityRelaxation {
    /** Adds to {@code entries} what pieces of a job, all on nodes of class {@code k}, take. */
    void addPieces(int k, List<Integer> pieces, HostDemand demand, SparseMatrixBuilder entries);

    /** What one piece on a node of class {@code k} costs. */
    double price(int k, int piece, HostDemand demand, double[] prices);

    /**
     * Writes into {@code start}, by row, what {@code other} says at {@code prices} that pieces cost, if these rows
     * price pieces.
     */
    void startFrom(CapacityRelaxation other, double[] prices, double[] start);

    /**
     * What the slots, CPUs and memory of node {@code v} of class {@code k} that are not held for good are worth at
     * most.
     */
    double worthOfNode(int k, int v, double[] prices);

    /** What a piece costs on a node beside its price: the rest of the node may be worth that much less for others. */
    ResidualCluster.PieceCost costOn(ResidualCluster room, double[] prices);

    /** What decides, at prices, how nodes are cut; empty if the capacities of the rows say it all. */
    List<Subproblem> blocks();
}
