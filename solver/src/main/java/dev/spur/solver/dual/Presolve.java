package dev.spur.solver.dual;

import java.util.Arrays;

/** Removal of members that no integral solution of a {@link GubProgram} contains. */
final class Presolve {
    private final GubProgram program;
    private final int passes;
    private final double tolerance;
    private final boolean[] keep;
    /** Minimum use of each row by all sets. */
    private final double[] leastUse;
    /** Minimum use of each row by the current set; valid for the {@link #touched} rows. */
    private final double[] min;

    private final int[] uses;
    private final int[] touched;
    private int touchedRows;
    /** Rows of which no member of the current set may use nothing. */
    private final int[] needed;

    private int neededRows;

    Presolve(GubProgram program, int passes, double tolerance) {
        this.program = program;
        this.passes = passes;
        this.tolerance = tolerance;
        this.keep = new boolean[program.members()];
        this.leastUse = new double[program.rows];
        this.min = new double[program.rows];
        this.uses = new int[program.rows];
        this.touched = new int[program.rows];
        this.needed = new int[program.rows];
        Arrays.fill(keep, true);
    }

    GubProgram reduce() {
        boolean removed = true;
        boolean any = false;
        for (int pass = 0; pass < passes && removed; pass++) {
            Arrays.fill(leastUse, 0);
            for (int i = 0; i < program.sets; i++) {
                measure(i);
                for (int t = 0; t < touchedRows; t++) {
                    leastUse[touched[t]] += program.total[i] * min[touched[t]];
                }
                clear();
            }
            removed = false;
            for (int i = 0; i < program.sets; i++) {
                removed |= removeFrom(i);
            }
            any |= removed;
        }
        return any ? program.restrictedTo(keep) : program;
    }

    /** Computes the minimum use of each row by the kept members of set {@code i}. */
    private void measure(int i) {
        int members = 0;
        for (int m = program.first[i]; m < program.first[i + 1]; m++) {
            if (!keep[m]) {
                continue;
            }
            members++;
            for (int k = program.start[m]; k < program.start[m + 1]; k++) {
                int r = program.row[k];
                if (uses[r] == 0) {
                    touched[touchedRows++] = r;
                    min[r] = program.amount[k];
                } else {
                    min[r] = Math.min(min[r], program.amount[k]);
                }
                uses[r]++;
            }
        }
        for (int t = 0; t < touchedRows; t++) {
            int r = touched[t];
            if (uses[r] < members) {
                min[r] = Math.min(0, min[r]);
            }
        }
    }

    private void clear() {
        for (int t = 0; t < touchedRows; t++) {
            uses[touched[t]] = 0;
        }
        touchedRows = 0;
    }

    private boolean removeFrom(int i) {
        measure(i);
        neededRows = 0;
        for (int t = 0; t < touchedRows; t++) {
            if (exceeds(i, touched[t], 0)) {
                needed[neededRows++] = touched[t];
            }
        }
        int left = 0;
        for (int m = program.first[i]; m < program.first[i + 1]; m++) {
            left += keep[m] ? 1 : 0;
        }
        boolean removed = false;
        for (int m = program.first[i]; m < program.first[i + 1] && left > 1; m++) {
            if (keep[m] && isExcluded(i, m)) {
                keep[m] = false;
                left--;
                removed = true;
            }
        }
        clear();
        return removed;
    }

    private boolean isExcluded(int i, int m) {
        for (int k = program.start[m]; k < program.start[m + 1]; k++) {
            if (exceeds(i, program.row[k], program.amount[k])) {
                return true;
            }
        }
        for (int n = 0; n < neededRows; n++) {
            if (!uses(m, needed[n])) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether the use {@code amount} of row {@code r} by set {@code i} exceeds what all other sets leave. */
    private boolean exceeds(int i, int r, double amount) {
        double slack = program.capacity[r] - leastUse[r];
        double more = amount - min[r];
        return program.total[i] == 1 ? more > slack + tolerance : more > tolerance && slack < tolerance;
    }

    private boolean uses(int m, int r) {
        for (int k = program.start[m]; k < program.start[m + 1]; k++) {
            if (program.row[k] == r) {
                return true;
            }
        }
        return false;
    }
}
