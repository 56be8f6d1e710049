package dev.spur.solver.knapsack;

import java.util.Arrays;
import java.util.function.LongToDoubleFunction;

/** States of a dynamic program with the least loss of each: a hash table in flat arrays. */
final class StateTable {
    /** Predecessors: for each state, the state before it and the alternative taken. */
    static final class Records {
        private int[] parents = new int[256];
        private int[] alternatives = new int[256];
        private int size;

        int add(int parent, int alternative) {
            if (size == parents.length) {
                parents = Arrays.copyOf(parents, size * 2);
                alternatives = Arrays.copyOf(alternatives, size * 2);
            }
            parents[size] = parent;
            alternatives[size] = alternative;
            return size++;
        }

        int parent(int record) {
            return parents[record];
        }

        int alternative(int record) {
            return alternatives[record];
        }
    }

    private static final long EMPTY = -1;

    private long[] keys;
    private double[] losses;
    private int[] records;
    private int size;

    StateTable(int expected) {
        int capacity = Integer.highestOneBit(Math.max(8, expected)) * 4;
        keys = new long[capacity];
        Arrays.fill(keys, EMPTY);
        losses = new double[capacity];
        records = new int[capacity];
    }

    int size() {
        return size;
    }

    int capacity() {
        return keys.length;
    }

    boolean isUsed(int s) {
        return keys[s] != EMPTY;
    }

    long key(int s) {
        return keys[s];
    }

    double loss(int s) {
        return losses[s];
    }

    int record(int s) {
        return records[s];
    }

    /** Returns whether {@code key} is unknown or known only at a loss above {@code loss}. */
    boolean isNews(long key, double loss) {
        int s = find(key);
        return keys[s] == EMPTY || losses[s] > loss;
    }

    /** Records {@code key} at {@code loss} if that is below its known loss. */
    void offer(long key, double loss, int parent, int alternative, Records made) {
        int s = find(key);
        if (keys[s] == EMPTY) {
            if (size * 2 >= keys.length) {
                grow();
                s = find(key);
            }
            keys[s] = key;
            size++;
        } else if (losses[s] <= loss) {
            return;
        }
        losses[s] = loss;
        records[s] = made.add(parent, alternative);
    }

    private int find(long key) {
        int mask = keys.length - 1;
        int s = (int) ((key * 0x9E3779B97F4A7C15L) >>> 32) & mask;
        while (keys[s] != EMPTY && keys[s] != key) {
            s = (s + 1) & mask;
        }
        return s;
    }

    private void grow() {
        long[] oldKeys = keys;
        double[] oldLosses = losses;
        int[] oldRecords = records;
        keys = new long[oldKeys.length * 2];
        Arrays.fill(keys, EMPTY);
        losses = new double[keys.length];
        records = new int[keys.length];
        for (int o = 0; o < oldKeys.length; o++) {
            if (oldKeys[o] != EMPTY) {
                int s = find(oldKeys[o]);
                keys[s] = oldKeys[o];
                losses[s] = oldLosses[o];
                records[s] = oldRecords[o];
            }
        }
    }

    /** Keeps the {@code max} states of least loss plus {@code ahead}; returns the minimum of those discarded. */
    double keepBest(int max, LongToDoubleFunction ahead) {
        double[] totals = new double[size];
        int n = 0;
        for (int s = 0; s < keys.length; s++) {
            if (keys[s] != EMPTY) {
                totals[n++] = losses[s] + ahead.applyAsDouble(keys[s]);
            }
        }
        Arrays.sort(totals);
        double threshold = totals[max];
        StateTable retained = new StateTable(max);
        for (int s = 0; s < keys.length; s++) {
            if (keys[s] != EMPTY && losses[s] + ahead.applyAsDouble(keys[s]) < threshold) {
                int at = retained.find(keys[s]);
                retained.keys[at] = keys[s];
                retained.losses[at] = losses[s];
                retained.records[at] = records[s];
                retained.size++;
            }
        }
        keys = retained.keys;
        losses = retained.losses;
        records = retained.records;
        size = retained.size;
        return threshold;
    }
}
