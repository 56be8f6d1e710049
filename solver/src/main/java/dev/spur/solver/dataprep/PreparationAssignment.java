package dev.spur.solver.dataprep;

import dev.spur.model.dataprep.Preparation;
import dev.spur.model.dataprep.PreparationSpec;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/** Assignment of preparations to nodes under construction, with its utility. Preparations have numbers. */
final class PreparationAssignment {
    private final HostNodes nodes;
    private final List<Preparation> preparations;
    private final double[] weights;
    private final @Nullable PreparationPlacement[] placements;
    private final PreparationResidual residual;

    /** @param weights utility of each preparation at full speed */
    PreparationAssignment(HostNodes nodes, List<Preparation> preparations, double[] weights) {
        this(
                nodes,
                preparations,
                weights,
                new PreparationPlacement[preparations.size()],
                new PreparationResidual(nodes));
    }

    private PreparationAssignment(
            HostNodes nodes,
            List<Preparation> preparations,
            double[] weights,
            @Nullable PreparationPlacement[] placements,
            PreparationResidual residual) {
        this.nodes = nodes;
        this.preparations = preparations;
        this.weights = weights;
        this.placements = placements;
        this.residual = residual;
    }

    PreparationAssignment copy() {
        return new PreparationAssignment(nodes, preparations, weights, placements.clone(), residual.copy());
    }

    HostNodes nodes() {
        return nodes;
    }

    int count() {
        return placements.length;
    }

    Preparation preparation(int j) {
        return preparations.get(j);
    }

    PreparationSpec spec(int j) {
        return preparations.get(j).spec();
    }

    double weight(int j) {
        return weights[j];
    }

    /** Returns the CPUs of the preparation: those that it holds, or those that it requests. */
    double cpus(int j) {
        Preparation preparation = preparations.get(j);
        return preparation.grant() == null
                ? preparation.spec().cpus()
                : preparation.grant().cpus();
    }

    boolean runsAlready(int j) {
        return preparations.get(j).grant() != null;
    }

    @Nullable
    PreparationPlacement placement(int j) {
        return placements[j];
    }

    PreparationResidual residual() {
        return residual;
    }

    /** Places the preparation; null makes it pending. */
    void put(int j, @Nullable PreparationPlacement placement) {
        PreparationPlacement before = placements[j];
        if (before != null) {
            residual.giveBack(cpus(j), before);
        }
        if (placement != null) {
            residual.take(cpus(j), placement);
        }
        placements[j] = placement;
    }

    double worth() {
        double sum = 0;
        for (int j = 0; j < placements.length; j++) {
            PreparationPlacement placement = placements[j];
            sum += placement == null ? 0 : worth(j, placement);
        }
        return sum;
    }

    double worth(int j, PreparationPlacement placement) {
        return weights[j]
                * (gain(spec(j), placement.localGiB(), placement.borrowedGiB())
                        - loss(placement.node(), placement.loans()) / spec(j).workingSetGiB());
    }

    /** Returns the speed with this memory, relative to the speed with the whole working set local. */
    static double gain(PreparationSpec spec, int localGiB, int borrowedGiB) {
        return 1 / spec.slowDown(localGiB, borrowedGiB);
    }

    private double loss(int host, NavigableMap<Integer, Integer> loans) {
        double sum = 0;
        for (Map.Entry<Integer, Integer> loan : loans.entrySet()) {
            sum += nodes.loss(loan.getKey(), host) * loan.getValue();
        }
        return sum;
    }
}
