package dev.spur.model.dataprep;

import dev.spur.model.Checks;

/**
 * How far nodes lend memory to preparations on other nodes. Loans are whole GiB.
 *
 * @param enabled false if nobody lends anything: what is lent is taken back
 * @param headroomGiB memory that a lender keeps free at least, GiB
 * @param headroomShare the same as a share of its memory, from 0 to 1; the larger of the two counts
 * @param fanOut nodes that one preparation may borrow from, at least 1: when one of them fails, the preparation does
 */
public record LendingSettings(boolean enabled, double headroomGiB, double headroomShare, int fanOut) {
    /** Lenders keep 8 GiB and a tenth of their memory, nobody borrows from more than two. */
    public static final LendingSettings DEFAULT = new LendingSettings(true, 8, 0.1, 2);

    public LendingSettings {
        Checks.atLeast("headroomGiB", headroomGiB, 0);
        Checks.require(
                headroomShare >= 0 && headroomShare <= 1, "headroomShare (%s) must be from 0 to 1", headroomShare);
        Checks.atLeast("fanOut", fanOut, 1);
    }

    /** What a lender with {@code memoryGiB} keeps free, GiB. */
    public double headroom(double memoryGiB) {
        return Math.max(headroomGiB, headroomShare * memoryGiB);
    }
}
