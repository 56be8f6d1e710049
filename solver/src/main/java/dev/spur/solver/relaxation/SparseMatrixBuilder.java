package dev.spur.solver.relaxation;

import java.util.Arrays;

/** Builder of a sparse matrix, candidate by candidate. */
final class SparseMatrixBuilder {
    private int[] starts;
    private int[] rows = new int[1024];
    private double[] amounts = new double[1024];
    private int candidates;
    private int size;

    SparseMatrixBuilder(int candidates) {
        starts = new int[candidates + 1];
    }

    /** Adds an entry of the current candidate; an amount of 0 is left out, and entries of one row are added up. */
    void add(int row, double amount) {
        if (amount == 0) {
            return;
        }
        for (int k = starts[candidates]; k < size; k++) {
            if (rows[k] == row) {
                amounts[k] += amount;
                return;
            }
        }
        if (size == rows.length) {
            rows = Arrays.copyOf(rows, size * 2);
            amounts = Arrays.copyOf(amounts, size * 2);
        }
        rows[size] = row;
        amounts[size++] = amount;
    }

    /** Completes the current candidate; further entries belong to the next one. */
    void endCandidate() {
        starts[++candidates] = size;
    }

    int[] starts() {
        return starts;
    }

    int[] rows() {
        return Arrays.copyOf(rows, size);
    }

    double[] amounts() {
        return Arrays.copyOf(amounts, size);
    }
}
