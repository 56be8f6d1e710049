package dev.spur.solver.dual;

import java.util.Arrays;

/**
 * Linear program with generalized upper bounds (GUB): the members of each set have a fixed total, and coupling rows
 * limit the use of all members.
 *
 * <p>Maximize the sum over members m of value[m] * x[m], subject to: for each set i, the sum of its x equals total[i];
 * for each row r, the sum of amount * x is at most capacity[r]; x >= 0. All data are in arrays (compressed sparse rows
 * by member), because every iteration of a method reads all of them.
 */
public final class GubProgram {
    /** Kind of a set, which selects the scale of its smoothing. */
    public enum SetKind {
        /** One job: its candidates, and waiting. */
        JOB,
        /** Nodes with equal capacity: their packing patterns. */
        NODES,
        /** Quota account that may borrow: the slots in use above its reservation, and the unused ones. */
        ACCOUNT
    }

    /** Number of passes of {@link #presolve}: later ones remove next to nothing. */
    private static final int PRESOLVE_PASSES = 5;

    private static final double TOLERANCE = 1e-6;

    final int sets;
    final int rows;
    /** Members of set i are first[i] to first[i + 1] - 1. */
    final int[] first;

    final SetKind[] kind;
    final double[] total;
    final double[] value;
    /** Number by which the caller knows the member; -1 for none. */
    final int[] origin;
    /** Entries of member m are start[m] to start[m + 1] - 1. */
    final int[] start;

    final int[] row;
    final double[] amount;
    final double[] capacity;
    /** Typical price by row, by which methods scale their steps; above 0. */
    final double[] scale;

    private GubProgram(
            int[] first,
            SetKind[] kind,
            double[] total,
            double[] value,
            int[] origin,
            int[] start,
            int[] row,
            double[] amount,
            double[] capacity,
            double[] scale) {
        this.sets = total.length;
        this.rows = capacity.length;
        this.first = first;
        this.kind = kind;
        this.total = total;
        this.value = value;
        this.origin = origin;
        this.start = start;
        this.row = row;
        this.amount = amount;
        this.capacity = capacity;
        this.scale = scale;
    }

    static GubProgram of(GubProgramBuilder from) {
        int members = from.members();
        return new GubProgram(
                Arrays.copyOf(from.first, from.sets() + 1),
                Arrays.copyOf(from.kind, from.sets()),
                Arrays.copyOf(from.total, from.sets()),
                Arrays.copyOf(from.value, members),
                Arrays.copyOf(from.origin, members),
                Arrays.copyOf(from.start, members + 1),
                Arrays.copyOf(from.row, from.entries()),
                Arrays.copyOf(from.amount, from.entries()),
                from.capacity.clone(),
                from.scale.clone());
    }

    /** Returns the set before which about half of the members are. */
    int middle() {
        int at = Arrays.binarySearch(first, members() / 2);
        return at >= 0 ? at : -at - 1;
    }

    /** Returns the number of members of all sets. */
    public int members() {
        return value.length;
    }

    /** Returns the number of coupling rows. */
    public int rows() {
        return rows;
    }

    /** Returns the origins of all members, in order; -1 for a member without one. */
    public int[] origins() {
        return origin.clone();
    }

    /** Returns the value of member {@code m} minus the price of its use. */
    double reducedValue(int m, double[] prices) {
        double reduced = value[m];
        for (int k = start[m]; k < start[m + 1]; k++) {
            reduced -= prices[row[k]] * amount[k];
        }
        return reduced;
    }

    /**
     * Returns the Lagrangian bound at {@code prices}: an upper bound on the objective value of every solution.
     *
     * @param prices price by row, at least 0
     */
    public double bound(double[] prices) {
        double bound = 0;
        for (int r = 0; r < rows; r++) {
            bound += prices[r] * capacity[r];
        }
        for (int i = 0; i < sets; i++) {
            double best = Double.NEGATIVE_INFINITY;
            for (int m = first[i]; m < first[i + 1]; m++) {
                best = Math.max(best, reducedValue(m, prices));
            }
            bound += total[i] * best;
        }
        return bound;
    }

    /** Returns the program with {@code values} by member. */
    GubProgram withValues(double[] values) {
        return new GubProgram(first, kind, total, values, origin, start, row, amount, capacity, scale);
    }

    /** Returns the program with the typical prices {@code scales} by row. */
    GubProgram withScale(double[] scales) {
        return new GubProgram(first, kind, total, value, origin, start, row, amount, capacity, scales);
    }

    /** Returns the program with the members for which {@code keep} is true; each set keeps at least one. */
    GubProgram restrictedTo(boolean[] keep) {
        int members = 0;
        int entries = 0;
        for (int m = 0; m < keep.length; m++) {
            if (keep[m]) {
                members++;
                entries += start[m + 1] - start[m];
            }
        }
        int[] newFirst = new int[sets + 1];
        double[] newValue = new double[members];
        int[] newOrigin = new int[members];
        int[] newStart = new int[members + 1];
        int[] newRow = new int[entries];
        double[] newAmount = new double[entries];
        int at = 0;
        for (int i = 0; i < sets; i++) {
            for (int m = first[i]; m < first[i + 1]; m++) {
                if (keep[m]) {
                    int length = start[m + 1] - start[m];
                    newValue[at] = value[m];
                    newOrigin[at] = origin[m];
                    System.arraycopy(row, start[m], newRow, newStart[at], length);
                    System.arraycopy(amount, start[m], newAmount, newStart[at], length);
                    newStart[at + 1] = newStart[at] + length;
                    at++;
                }
            }
            newFirst[i + 1] = at;
        }
        return new GubProgram(newFirst, kind, total, newValue, newOrigin, newStart, newRow, newAmount, capacity, scale);
    }

    /**
     * Returns the program without members that no integral solution contains. Such a member uses more of a row than its
     * capacity leaves when every other set uses its minimum. Sets with another total than 1 lose only members of rows
     * without any slack.
     */
    public GubProgram presolve() {
        return new Presolve(this, PRESOLVE_PASSES, TOLERANCE).reduce();
    }
}
