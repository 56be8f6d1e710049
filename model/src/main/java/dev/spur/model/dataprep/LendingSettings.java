package dev.spur.model.dataprep;

import dev.spur.model.Checks;

/**
 * Limits on the memory that nodes lend to preparations on other nodes. Loans are whole GiB.
 *
 * @param enabled false to disable lending and revoke all loans
 * @param headroomGiB minimum memory that a lender keeps free, GiB
 * @param headroomShare the same as a fraction of its memory, from 0 to 1; the larger of the two applies
 * @param fanOut maximum number of nodes from which one preparation may borrow, at least 1; each one that fails slows it
 *     down
 */
public record LendingSettings(boolean enabled, double headroomGiB, double headroomShare, int fanOut) {
    /**
     * Lenders keep free 8 GiB or a tenth of their memory, whichever is more; a preparation borrows from at most two
     * nodes.
     */
    public static final LendingSettings DEFAULT = new LendingSettings(true, 8, 0.1, 2);

    public LendingSettings {
        Checks.atLeast("headroomGiB", headroomGiB, 0);
        Checks.require(
                headroomShare >= 0 && headroomShare <= 1, "headroomShare (%s) must be from 0 to 1", headroomShare);
        Checks.atLeast("fanOut", fanOut, 1);
    }

    /** Returns the memory that a lender with {@code memoryGiB} keeps free, GiB. */
    public double headroom(double memoryGiB) {
        return Math.max(headroomGiB, headroomShare * memoryGiB);
    }
}
