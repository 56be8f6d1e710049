package dev.spur.solver.dataprep;

import dev.spur.model.dataprep.Preparation;
import dev.spur.model.dataprep.PreparationAllocation;
import dev.spur.model.dataprep.PreparationSpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Search for the best placement of one preparation, given all others. */
final class PreparationPlacementSearch {
    /** Number of nodes evaluated as hosts with lenders: those with the most memory. */
    private static final int MAX_HOSTS = 4;

    private static final int LOOKS_FOR_LENDERS = 4;

    private final PreparationAssignment assignment;
    private long evaluations;

    PreparationPlacementSearch(PreparationAssignment assignment) {
        this.assignment = assignment;
    }

    /** Returns the number of node evaluations. */
    long evaluations() {
        return evaluations;
    }

    /**
     * Returns the best placement on which the pending preparation {@code j} has its whole working set; null if there is
     * none.
     */
    @Nullable
    PreparationPlacement start(int j) {
        List<Integer> hosts = hosts(j);
        PreparationPlacement best = null;
        for (int v : hosts) {
            PreparationPlacement placement = placementOn(j, v);
            if (placement != null
                    && (best == null || assignment.worth(j, placement) > assignment.worth(j, best) + 1e-12)) {
                best = placement;
            }
        }
        return best;
    }

    /**
     * Returns the candidate hosts: the tightest node that holds the whole working set, or else the nodes with the most
     * memory.
     */
    private List<Integer> hosts(int j) {
        PreparationSpec spec = assignment.spec(j);
        PreparationResidual residual = assignment.residual();
        List<Integer> able = new ArrayList<>();
        int tightest = -1;
        evaluations += assignment.nodes().count();
        for (int v = 0; v < assignment.nodes().count(); v++) {
            int free = residual.localRoom(v);
            if (free >= spec.minLocalGiB()
                    && residual.hasCpus(v, spec.cpus())
                    && assignment.nodes().mayStart(assignment.preparation(j), v)) {
                able.add(v);
                boolean holdsAll = free >= spec.workingSetGiB();
                tightest = holdsAll && (tightest < 0 || free < residual.localRoom(tightest)) ? v : tightest;
            }
        }
        if (tightest >= 0) {
            return List.of(tightest);
        }
        able.sort(Comparator.<Integer>comparingInt(residual::localRoom).reversed());
        return able.subList(0, Math.min(MAX_HOSTS, able.size()));
    }

    private @Nullable PreparationPlacement placementOn(int j, int v) {
        Preparation preparation = assignment.preparation(j);
        PreparationSpec spec = preparation.spec();
        evaluations += LOOKS_FOR_LENDERS * (long) assignment.nodes().count();
        int local = Math.min(spec.workingSetGiB(), assignment.residual().localRoom(v));
        var loans = new LenderSelection(assignment.nodes(), assignment.residual())
                .find(preparation, v, spec.workingSetGiB() - local, new TreeMap<>());
        PreparationPlacement placement = new PreparationPlacement(v, local, loans);
        return local + placement.borrowedGiB() == spec.workingSetGiB() ? placement : null;
    }

    /** Gives preparation {@code j} more memory of its node, and loans for the remainder of its working set. */
    void grow(int j) {
        PreparationPlacement placement = assignment.placement(j);
        PreparationSpec spec = assignment.spec(j);
        if (placement == null || placement.localGiB() >= spec.workingSetGiB()) {
            return;
        }
        int free = assignment.nodes().mayStart(assignment.preparation(j), placement.node())
                ? assignment.residual().localRoom(placement.node())
                : 0;
        int more = Math.min(spec.workingSetGiB() - placement.localGiB(), free);
        assignment.put(
                j, placement.with(placement.localGiB() + more, without(j, placement, excess(spec, placement, more))));
        cover(j);
    }

    /** Adds loans for the memory that preparation {@code j} would swap. */
    void cover(int j) {
        PreparationPlacement placement = assignment.placement(j);
        if (placement != null) {
            int missing = assignment.spec(j).workingSetGiB() - placement.localGiB() - placement.borrowedGiB();
            if (missing > 0) {
                var loans = new LenderSelection(assignment.nodes(), assignment.residual())
                        .find(assignment.preparation(j), placement.node(), missing, placement.loans());
                PreparationPlacement covered = placement.with(placement.localGiB(), loans);
                if (assignment.worth(j, covered) > assignment.worth(j, placement)) {
                    assignment.put(j, covered);
                }
            }
        }
    }

    private static int excess(PreparationSpec spec, PreparationPlacement placement, int more) {
        return Math.max(0, placement.localGiB() + more + placement.borrowedGiB() - spec.workingSetGiB());
    }

    /** Returns the loans less {@code gib}: first new loans, then from the smallest on, so that few lenders remain. */
    private Map<Integer, Integer> without(int j, PreparationPlacement placement, int gib) {
        TreeMap<Integer, Integer> loans = new TreeMap<>(placement.loans());
        PreparationAllocation heldAllocation = assignment.preparation(j).grant();
        int left = gib;
        for (int lender : placement.loans().keySet()) {
            int before = heldAllocation == null
                    ? 0
                    : heldAllocation.borrowedFrom(assignment.nodes().id(lender));
            left -= reduce(loans, lender, Math.min(left, loans.getOrDefault(lender, 0) - before));
        }
        List<Integer> lenders = new ArrayList<>(loans.keySet());
        lenders.sort(Comparator.comparingInt(lender -> loans.getOrDefault(lender, 0)));
        for (int lender : lenders) {
            left -= reduce(loans, lender, Math.min(left, loans.getOrDefault(lender, 0)));
        }
        return loans;
    }

    private static int reduce(Map<Integer, Integer> loans, int lender, int gib) {
        int part = Math.max(0, gib);
        loans.merge(lender, -part, Integer::sum);
        return part;
    }
}
