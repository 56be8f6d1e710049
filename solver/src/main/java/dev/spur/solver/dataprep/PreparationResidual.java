package dev.spur.solver.dataprep;

/** Resources of the nodes used by preparations, and the residual. */
final class PreparationResidual {
    private static final double ROUNDING = 1e-9;

    private final HostNodes nodes;
    private final double[] cpus;
    private final int[] local;
    private final int[] lent;

    PreparationResidual(HostNodes nodes) {
        this(nodes, new double[nodes.count()], new int[nodes.count()], new int[nodes.count()]);
    }

    private PreparationResidual(HostNodes nodes, double[] cpus, int[] local, int[] lent) {
        this.nodes = nodes;
        this.cpus = cpus;
        this.local = local;
        this.lent = lent;
    }

    PreparationResidual copy() {
        return new PreparationResidual(nodes, cpus.clone(), local.clone(), lent.clone());
    }

    void take(double ownCpus, PreparationPlacement placement) {
        change(ownCpus, placement, 1);
    }

    void giveBack(double ownCpus, PreparationPlacement placement) {
        change(ownCpus, placement, -1);
    }

    private void change(double ownCpus, PreparationPlacement placement, int sign) {
        cpus[placement.node()] += sign * ownCpus;
        local[placement.node()] += sign * placement.localGiB();
        placement.loans().forEach((lender, gib) -> lent[lender] += sign * gib);
    }

    boolean hasCpus(int v, double desired) {
        return cpus[v] + desired <= nodes.cpus(v) + ROUNDING;
    }

    double cpusLeft(int v) {
        return Math.max(0, nodes.cpus(v) - cpus[v]);
    }

    /** Returns the free memory for preparations on the node itself, GiB; a lender keeps its headroom. */
    int localRoom(int v) {
        int max = lent[v] > 0 ? nodes.lendableGiB(v) - lent[v] : nodes.memoryGiB(v);
        return Math.max(0, max - local[v]);
    }

    /** Returns the memory that preparations on the node leave if it lends nothing, GiB. */
    int remainingAfterLocal(int v) {
        return Math.max(0, nodes.memoryGiB(v) - local[v]);
    }

    /** Returns the total memory that the node can lend, GiB. */
    int lendableAfterLocal(int v) {
        return Math.max(0, nodes.lendableGiB(v) - local[v]);
    }

    /** Returns the memory that the node lends, GiB. */
    int lent(int v) {
        return lent[v];
    }

    /** Returns the memory that the node can lend in addition, GiB. */
    int lendRoom(int v) {
        return Math.max(0, nodes.lendableGiB(v) - local[v] - lent[v]);
    }

    /** Returns the memory lent beyond the limit of the node, GiB. */
    int overlent(int v) {
        return Math.max(0, lent[v] - lendableAfterLocal(v));
    }
}
