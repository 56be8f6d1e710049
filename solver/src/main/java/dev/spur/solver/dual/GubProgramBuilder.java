package dev.spur.solver.dual;

import java.util.Arrays;

/** Builder of a {@link GubProgram}: members set by set, entries member by member. */
public final class GubProgramBuilder {
    final double[] capacity;
    final double[] scale;
    int[] first = new int[1024];
    GubProgram.SetKind[] kind = new GubProgram.SetKind[1024];
    double[] total = new double[1024];
    double[] value = new double[8192];
    int[] origin = new int[8192];
    int[] start = new int[8192];
    int[] row = new int[32768];
    double[] amount = new double[32768];
    private int sets;
    private int members;
    private int entries;

    /**
     * @param capacity capacity by row
     * @param scale typical price by row, above 0
     */
    public GubProgramBuilder(double[] capacity, double[] scale) {
        if (scale.length != capacity.length) {
            throw new IllegalArgumentException("%d scales for %d rows".formatted(scale.length, capacity.length));
        }
        for (int r = 0; r < scale.length; r++) {
            if (!(scale[r] > 0)) {
                throw new IllegalArgumentException("scale %s of row %d is not positive".formatted(scale[r], r));
            }
        }
        this.capacity = capacity.clone();
        this.scale = scale.clone();
    }

    /**
     * Adds a member to the current set.
     *
     * @param origin number by which the caller knows it; -1 for none
     */
    public void member(double value, int origin) {
        if (members + 2 > this.value.length) {
            int size = 2 * this.value.length;
            this.value = Arrays.copyOf(this.value, size);
            this.origin = Arrays.copyOf(this.origin, size);
            this.start = Arrays.copyOf(this.start, size);
        }
        this.value[members] = value;
        this.origin[members] = origin;
        members++;
        start[members] = entries;
    }

    /** Adds the use of {@code row} by the last member; entries of a row that the member already uses are added up. */
    public void entry(int row, double amount) {
        if (first[sets] == members) {
            throw new IllegalStateException("set %d has no member".formatted(sets));
        }
        if (row < 0 || row >= capacity.length) {
            throw new IllegalArgumentException("row %d is not among %d rows".formatted(row, capacity.length));
        }
        for (int k = start[members - 1]; k < entries; k++) {
            if (this.row[k] == row) {
                this.amount[k] += amount;
                return;
            }
        }
        if (entries == this.row.length) {
            this.row = Arrays.copyOf(this.row, 2 * entries);
            this.amount = Arrays.copyOf(this.amount, 2 * entries);
        }
        this.row[entries] = row;
        this.amount[entries] = amount;
        entries++;
        start[members] = entries;
    }

    /**
     * Ends the current set, which must have a member.
     *
     * @param total total of its members, above 0
     */
    public void endSet(GubProgram.SetKind kind, double total) {
        if (first[sets] == members) {
            throw new IllegalStateException("set %d has no member".formatted(sets));
        }
        if (!(total > 0)) {
            throw new IllegalArgumentException("total %s of set %d is not positive".formatted(total, sets));
        }
        if (sets + 2 > first.length) {
            first = Arrays.copyOf(first, 2 * first.length);
            this.kind = Arrays.copyOf(this.kind, first.length);
            this.total = Arrays.copyOf(this.total, first.length);
        }
        this.kind[sets] = kind;
        this.total[sets] = total;
        sets++;
        first[sets] = members;
    }

    int sets() {
        return sets;
    }

    int rows() {
        return capacity.length;
    }

    int members() {
        return members;
    }

    int entries() {
        return entries;
    }

    /** Returns the program; every member must be in an ended set. */
    public GubProgram build() {
        if (first[sets] < members) {
            throw new IllegalStateException("set %d has not ended".formatted(sets));
        }
        return GubProgram.of(this);
    }
}
