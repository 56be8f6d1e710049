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
    private final double[] own;
    private int touchedRows;

    Presolve(GubProgram program, int passes, double tolerance) {
        this.program = program;
        this.passes = passes;
        this.tolerance = tolerance;
        this.keep = new boolean[program.members()];
        this.leastUse = new double[program.rows];
        this.min = new double[program.rows];
        this.own = new double[program.rows];
        this.uses = new int[program.rows];
        this.touched = new int[program.rows];
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
            own[program.row[k]] = program.amount[k];
        }
        boolean excluded = false;
        for (int t = 0; t < touchedRows && !excluded; t++) {
            int r = touched[t];
            double slack = program.capacity[r] - leastUse[r];
            double more = own[r] - min[r];
            excluded = program.total[i] == 1 ? more > slack + tolerance : more > tolerance && slack < tolerance;
        }
        for (int k = program.start[m]; k < program.start[m + 1]; k++) {
            own[program.row[k]] = 0;
        }
        return excluded;
    }
}
