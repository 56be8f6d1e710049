package dev.spur.solver.dataprep;

import dev.spur.model.dataprep.Loan;
import dev.spur.model.dataprep.Preparation;
import dev.spur.model.dataprep.PreparationAllocation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Revocation of loans that a lender may not or cannot continue. The least active loans are revoked first, as in the
 * batch eviction of Infiniswap (NSDI '17), but with knowledge of all of them.
 */
final class Revocation {
    private final PreparationAssignment seating;

    /** A loan of preparation {@code j} and its activity. */
    private record Lent(int j, int gib, double activity) {}

    private Revocation(PreparationAssignment seating) {
        this.seating = seating;
    }

    /** Places the running preparations with the memory that they may keep. */
    static void seatWhatRuns(PreparationAssignment seating) {
        Revocation revocation = new Revocation(seating);
        for (int j = 0; j < seating.count(); j++) {
            PreparationAllocation grant = seating.preparation(j).grant();
            if (grant != null) {
                seating.put(j, revocation.restrict(seating.preparation(j), grant));
            }
        }
        for (int v = 0; v < seating.nodes().count(); v++) {
            revocation.takeBack(v, seating.supply().overlent(v));
        }
    }

    /**
     * Returns the present memory, without loans of nodes that may no longer lend to it, and not beyond its working set.
     */
    private PreparationPlacement restrict(Preparation preparation, PreparationAllocation grant) {
        HostNodes nodes = seating.nodes();
        NavigableMap<Integer, Integer> loans = new TreeMap<>();
        int desired = Math.max(0, preparation.spec().workingSetGiB() - grant.localGiB());
        for (Loan loan : grant.loans()) {
            int lender = nodes.number(loan.lender());
            if (nodes.mayGoOnLending(preparation, lender)) {
                loans.put(lender, Math.min(desired, loan.gib()));
                desired -= Math.min(desired, loan.gib());
            }
        }
        return new PreparationPlacement(nodes.number(grant.node()), grant.localGiB(), loans);
    }

    private void takeBack(int lender, int gib) {
        int left = gib;
        for (Lent lent : left > 0 ? lentBy(lender) : List.<Lent>of()) {
            int part = Math.min(left, lent.gib());
            PreparationPlacement seat = seating.placement(lent.j());
            if (part > 0 && seat != null) {
                NavigableMap<Integer, Integer> loans = new TreeMap<>(seat.loans());
                loans.merge(lender, -part, Integer::sum);
                seating.put(lent.j(), seat.with(seat.localGiB(), loans));
                left -= part;
            }
        }
    }

    /** Returns the loans of a lender: the least active first; among equal ones that of least utility. */
    private List<Lent> lentBy(int lender) {
        String id = seating.nodes().id(lender);
        List<Lent> lent = new ArrayList<>();
        for (int j = 0; j < seating.count(); j++) {
            PreparationPlacement seat = seating.placement(j);
            if (seat != null && seat.loans().containsKey(lender)) {
                double activity = seating.preparation(j).activity().getOrDefault(id, Double.POSITIVE_INFINITY);
                lent.add(new Lent(j, seat.loans().getOrDefault(lender, 0), activity));
            }
        }
        lent.sort(Comparator.comparingDouble(Lent::activity).thenComparingDouble(each -> seating.weight(each.j())));
        return lent;
    }
}
