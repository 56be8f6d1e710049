package dev.spur.solver.dataprep;

import dev.spur.model.dataprep.Preparation;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Selection of lenders: few nodes, near ones that are unlikely to need the memory, and none with more free memory than
 * required.
 */
final class LenderSelection {
    private static final int NONE = -1;

    private final HostNodes nodes;
    private final PreparationResidual residual;

    LenderSelection(HostNodes nodes, PreparationResidual residual) {
        this.nodes = nodes;
        this.residual = residual;
    }

    /**
     * Returns all loans of a preparation on {@code host}. It borrows {@code gib} in addition to {@code retained}, or as
     * much as the nodes within the fan-out can lend.
     *
     * @param retained present loans, which {@code residual} already counts
     */
    NavigableMap<Integer, Integer> find(
            Preparation preparation, int host, int gib, NavigableMap<Integer, Integer> retained) {
        Search wide = new Search(preparation, host, retained, false);
        wide.borrow(gib);
        Search near = new Search(preparation, host, retained, true);
        near.borrow(gib);
        boolean nearIsBetter = near.missing == wide.missing ? near.loss() <= wide.loss() : near.missing < wide.missing;
        return nearIsBetter ? near.loans : wide.loans;
    }

    /** State of one search for lenders. */
    private final class Search {
        private final Preparation preparation;
        private final int host;
        private final NavigableMap<Integer, Integer> retained;
        private final NavigableMap<Integer, Integer> loans;
        private final boolean nearFirst;
        private int missing;

        Search(Preparation preparation, int host, NavigableMap<Integer, Integer> retained, boolean nearFirst) {
            this.preparation = preparation;
            this.host = host;
            this.retained = retained;
            this.loans = new TreeMap<>(retained);
            this.nearFirst = nearFirst;
        }

        void borrow(int gib) {
            missing = gib;
            int next = missing > 0 ? next() : NONE;
            while (next != NONE) {
                int part = Math.min(missing, freeGiB(next));
                loans.merge(next, part, Integer::sum);
                missing -= part;
                next = missing > 0 ? next() : NONE;
            }
        }

        private int next() {
            boolean isFull = loans.size() >= nodes.fanOut();
            int best = NONE;
            for (int v = 0; v < nodes.count(); v++) {
                if (v != host
                        && (!isFull || loans.containsKey(v))
                        && freeGiB(v) > 0
                        && nodes.mayLend(preparation, v)
                        && (best == NONE || isBetter(v, best))) {
                    best = v;
                }
            }
            return best;
        }

        /**
         * Prefers near nodes, or nodes that can lend all of the missing memory. Among the latter the node with the
         * least memory is better, among others the one with the most.
         */
        private boolean isBetter(int one, int other) {
            boolean suffices = freeGiB(one) >= missing;
            boolean isDecided = suffices != freeGiB(other) >= missing;
            double more = nodes.loss(one, host) - nodes.loss(other, host);
            if (!nearFirst && isDecided) {
                return suffices;
            }
            if (more != 0 && (nearFirst || suffices)) {
                return more < 0;
            }
            if (isDecided) {
                return suffices;
            }
            return suffices ? freeGiB(one) < freeGiB(other) : freeGiB(one) > freeGiB(other);
        }

        private int freeGiB(int v) {
            return residual.lendRoom(v) - loans.getOrDefault(v, 0) + retained.getOrDefault(v, 0);
        }

        double loss() {
            double sum = 0;
            for (var loan : loans.entrySet()) {
                sum += loan.getValue() * nodes.loss(loan.getKey(), host);
            }
            return sum;
        }
    }
}
