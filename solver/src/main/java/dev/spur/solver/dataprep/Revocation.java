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
    private final PreparationAssignment assignment;

    /** A loan of preparation {@code j} and its activity. */
    private record Lent(int j, int gib, double activity) {}

    private Revocation(PreparationAssignment assignment) {
        this.assignment = assignment;
    }

    /** Places the running preparations with the memory that they may keep. */
    static void placeRunning(PreparationAssignment assignment) {
        Revocation revocation = new Revocation(assignment);
        for (int j = 0; j < assignment.count(); j++) {
            PreparationAllocation allocation = assignment.preparation(j).grant();
            if (allocation != null) {
                assignment.put(j, revocation.restrict(assignment.preparation(j), allocation));
            }
        }
        for (int v = 0; v < assignment.nodes().count(); v++) {
            revocation.takeBack(v, assignment.residual().overlent(v));
        }
    }

    /**
     * Returns the present memory, without loans of nodes that may no longer lend to it, and not beyond its working set.
     */
    private PreparationPlacement restrict(Preparation preparation, PreparationAllocation allocation) {
        HostNodes nodes = assignment.nodes();
        NavigableMap<Integer, Integer> loans = new TreeMap<>();
        int desired = Math.max(0, preparation.spec().workingSetGiB() - allocation.localGiB());
        for (Loan loan : allocation.loans()) {
            int lender = nodes.number(loan.lender());
            if (nodes.mayGoOnLending(preparation, lender)) {
                loans.put(lender, Math.min(desired, loan.gib()));
                desired -= Math.min(desired, loan.gib());
            }
        }
        return new PreparationPlacement(nodes.number(allocation.node()), allocation.localGiB(), loans);
    }

    private void takeBack(int lender, int gib) {
        int left = gib;
        for (Lent lent : left > 0 ? lentBy(lender) : List.<Lent>of()) {
            int part = Math.min(left, lent.gib());
            PreparationPlacement placement = assignment.placement(lent.j());
            if (part > 0 && placement != null) {
                NavigableMap<Integer, Integer> loans = new TreeMap<>(placement.loans());
                loans.merge(lender, -part, Integer::sum);
                assignment.put(lent.j(), placement.with(placement.localGiB(), loans));
                left -= part;
            }
        }
    }

    /** Returns the loans of a lender: the least active first; among equal ones that of least utility. */
    private List<Lent> lentBy(int lender) {
        String id = assignment.nodes().id(lender);
        List<Lent> lent = new ArrayList<>();
        for (int j = 0; j < assignment.count(); j++) {
            PreparationPlacement placement = assignment.placement(j);
            if (placement != null && placement.loans().containsKey(lender)) {
                double activity = assignment.preparation(j).activity().getOrDefault(id, Double.POSITIVE_INFINITY);
                lent.add(new Lent(j, placement.loans().getOrDefault(lender, 0), activity));
            }
        }
        lent.sort(Comparator.comparingDouble(Lent::activity).thenComparingDouble(each -> assignment.weight(each.j())));
        return lent;
    }
}
