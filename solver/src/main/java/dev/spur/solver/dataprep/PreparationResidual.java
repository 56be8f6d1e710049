package dev.spur.solver.dataprep;

/** What preparations take of the nodes so far, and what is left. */
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

    void take(double ownCpus, PreparationPlacement seat) {
        change(ownCpus, seat, 1);
    }

    void giveBack(double ownCpus, PreparationPlacement seat) {
        change(ownCpus, seat, -1);
    }

    private void change(double ownCpus, PreparationPlacement seat, int sign) {
        cpus[seat.node()] += sign * ownCpus;
        local[seat.node()] += sign * seat.localGiB();
        seat.loans().forEach((lender, gib) -> lent[lender] += sign * gib);
    }

    boolean hasCpus(int v, double wanted) {
        return cpus[v] + wanted <= nodes.cpus(v) + ROUNDING;
    }

    double cpusLeft(int v) {
        return Math.max(0, nodes.cpus(v) - cpus[v]);
    }

    /** Memory for preparations on the node itself, GiB; a lender keeps its headroom. */
    int localRoom(int v) {
        int most = lent[v] > 0 ? nodes.lendableGiB(v) - lent[v] : nodes.memoryGiB(v);
        return Math.max(0, most - local[v]);
    }

    /** Memory that preparations on the node leave, if it lends nothing, GiB. */
    int besideLocal(int v) {
        return Math.max(0, nodes.memoryGiB(v) - local[v]);
    }

    /** Memory that the node can lend in all, GiB. */
    int lendableBesideLocal(int v) {
        return Math.max(0, nodes.lendableGiB(v) - local[v]);
    }

    /** What the node lends, GiB. */
    int lent(int v) {
        return lent[v];
    }

    /** Memory that the node can lend further, GiB. */
    int lendRoom(int v) {
        return Math.max(0, nodes.lendableGiB(v) - local[v] - lent[v]);
    }

    /** By how much the node lends more than it can, GiB. */
    int overlent(int v) {
        return Math.max(0, lent[v] - lendableBesideLocal(v));
    }
}
