package dev.spur.solver.dataprep;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Placement of a preparation, by numbers of nodes.
 *
 * @param node number of its node
 * @param localGiB memory there
 * @param loans by number of the lender, the memory that it lends, GiB, above 0
 */
record PreparationPlacement(int node, int localGiB, NavigableMap<Integer, Integer> loans) {
    PreparationPlacement {
        loans = new TreeMap<>(loans);
        loans.values().removeIf(gib -> gib <= 0);
    }

    int borrowedGiB() {
        int sum = 0;
        for (int gib : loans.values()) {
            sum += gib;
        }
        return sum;
    }

    PreparationPlacement with(int otherLocalGiB, Map<Integer, Integer> otherLoans) {
        return new PreparationPlacement(node, otherLocalGiB, new TreeMap<>(otherLoans));
    }
}
