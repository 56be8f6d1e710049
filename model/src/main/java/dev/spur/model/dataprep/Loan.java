package dev.spur.model.dataprep;

import dev.spur.model.Checks;

/**
 * Memory of another node that a preparation borrows.
 *
 * @param lender id of the node that lends it
 * @param gib size, whole GiB, at least 1
 */
public record Loan(String lender, int gib) {
    public Loan {
        Checks.nonBlank("lender", lender);
        Checks.atLeast("gib", gib, 1);
    }
}
