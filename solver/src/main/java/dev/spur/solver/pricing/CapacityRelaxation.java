package dev.spur.solver.pricing;

import dev.spur.model.job.HostDemand;
import dev.spur.solver.dual.GubProgramBuilder;
import dev.spur.solver.placement.ResidualCluster;
import java.util.List;

/** Relaxation of the capacity of nodes as rows of the coupling constraints. */
interface CapacityRelaxation {
    /** Adds to {@code entries} the use of rows by the pieces of one job, all on nodes of class {@code k}. */
    void addPieces(int k, List<Integer> pieces, HostDemand demand, SparseMatrixBuilder entries);

    /** Returns the price of one piece on a node of class {@code k}. */
    double price(int k, int piece, HostDemand demand, double[] prices);

    /** Returns the price of a slot of class {@code k}: the value of a node divided by its slots. */
    double slotPrice(int k, double[] prices);

    /** Returns the price of a host CPU of class {@code k}. */
    double cpuPrice(int k, double[] prices);

    /** Returns the price of a GiB of host memory of class {@code k}. */
    double memoryPrice(int k, double[] prices);

    /**
     * Returns an upper bound on the value of node {@code v} of class {@code k} at {@code prices}: of its slots, CPUs
     * and memory without those of pinned jobs.
     */
    double worthOfNode(int k, int v, double[] prices);

    /** Returns the cost of a piece on a node in addition to its price: the loss of value of the remaining capacity. */
    ResidualCluster.PieceCost costOn(ResidualCluster room, double[] prices);

    /** Returns the number of slots without those of pinned jobs. */
    double slots();

    /** Returns the number of nodes. */
    int nodes();

    /** Returns whether all packing patterns of all nodes are enumerated; true where rows need none. */
    boolean isEnumerated();

    /** Consumer of a row of node capacity. */
    @FunctionalInterface
    interface CapacityRow {
        /** @param typicalSlots number of slots that a unit of the row typically stands for */
        void accept(int row, double typicalSlots);
    }

    /** Calls {@code consumer} with each row. */
    void forEachRow(CapacityRow consumer);

    /** Adds the sets of nodes, with a member for each packing pattern; none where rows have a capacity. */
    void addSets(GubProgramBuilder builder);

    /** Returns by class of nodes the value of remaining capacity at {@code prices}; 0 where rows have no pieces. */
    ResidualValue[] residualValues(double[] prices);

    /** Returns the subproblems that cut nodes into pieces; empty if the capacities of the rows suffice. */
    List<Subproblem> blocks();
}
