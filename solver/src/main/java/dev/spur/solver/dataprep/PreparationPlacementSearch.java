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

    private final PreparationAssignment seating;
    private long looks;

    PreparationPlacementSearch(PreparationAssignment seating) {
        this.seating = seating;
    }

    /** Returns the number of node evaluations. */
    long evaluations() {
        return looks;
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
            PreparationPlacement seat = seatOn(j, v);
            if (seat != null && (best == null || seating.worth(j, seat) > seating.worth(j, best) + 1e-12)) {
                best = seat;
            }
        }
        return best;
    }

    /**
     * Returns the candidate hosts: the tightest node that holds the whole working set, or else the nodes with the most
     * memory.
     */
    private List<Integer> hosts(int j) {
        PreparationSpec spec = seating.spec(j);
        PreparationResidual supply = seating.supply();
        List<Integer> able = new ArrayList<>();
        int tightest = -1;
        looks += seating.nodes().count();
        for (int v = 0; v < seating.nodes().count(); v++) {
            int room = supply.localRoom(v);
            if (room >= spec.minLocalGiB()
                    && supply.hasCpus(v, spec.cpus())
                    && seating.nodes().mayStart(seating.preparation(j), v)) {
                able.add(v);
                boolean holdsAll = room >= spec.workingSetGiB();
                tightest = holdsAll && (tightest < 0 || room < supply.localRoom(tightest)) ? v : tightest;
            }
        }
        if (tightest >= 0) {
            return List.of(tightest);
        }
        able.sort(Comparator.<Integer>comparingInt(supply::localRoom).reversed());
        return able.subList(0, Math.min(MAX_HOSTS, able.size()));
    }

    private @Nullable PreparationPlacement seatOn(int j, int v) {
        Preparation preparation = seating.preparation(j);
        PreparationSpec spec = preparation.spec();
        looks += LOOKS_FOR_LENDERS * (long) seating.nodes().count();
        int local = Math.min(spec.workingSetGiB(), seating.supply().localRoom(v));
        var loans = new LenderSelection(seating.nodes(), seating.supply())
                .find(preparation, v, spec.workingSetGiB() - local, new TreeMap<>());
        PreparationPlacement seat = new PreparationPlacement(v, local, loans);
        return local + seat.borrowedGiB() == spec.workingSetGiB() ? seat : null;
    }

    /** Gives preparation {@code j} more memory of its node, and loans for the remainder of its working set. */
    void grow(int j) {
        PreparationPlacement seat = seating.placement(j);
        PreparationSpec spec = seating.spec(j);
        if (seat == null || seat.localGiB() >= spec.workingSetGiB()) {
            return;
        }
        int room = seating.nodes().mayStart(seating.preparation(j), seat.node())
                ? seating.supply().localRoom(seat.node())
                : 0;
        int more = Math.min(spec.workingSetGiB() - seat.localGiB(), room);
        seating.put(j, seat.with(seat.localGiB() + more, without(j, seat, excess(spec, seat, more))));
        cover(j);
    }

    /** Adds loans for the memory that preparation {@code j} would swap. */
    void cover(int j) {
        PreparationPlacement seat = seating.placement(j);
        if (seat != null) {
            int missing = seating.spec(j).workingSetGiB() - seat.localGiB() - seat.borrowedGiB();
            if (missing > 0) {
                var loans = new LenderSelection(seating.nodes(), seating.supply())
                        .find(seating.preparation(j), seat.node(), missing, seat.loans());
                PreparationPlacement covered = seat.with(seat.localGiB(), loans);
                if (seating.worth(j, covered) > seating.worth(j, seat)) {
                    seating.put(j, covered);
                }
            }
        }
    }

    private static int excess(PreparationSpec spec, PreparationPlacement seat, int more) {
        return Math.max(0, seat.localGiB() + more + seat.borrowedGiB() - spec.workingSetGiB());
    }

    /** Returns the loans less {@code gib}: first new loans, then from the smallest on, so that few lenders remain. */
    private Map<Integer, Integer> without(int j, PreparationPlacement seat, int gib) {
        TreeMap<Integer, Integer> loans = new TreeMap<>(seat.loans());
        PreparationAllocation held = seating.preparation(j).grant();
        int left = gib;
        for (int lender : seat.loans().keySet()) {
            int before = held == null ? 0 : held.borrowedFrom(seating.nodes().id(lender));
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
