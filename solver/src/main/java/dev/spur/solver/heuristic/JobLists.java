package dev.spur.solver.heuristic;

import java.util.Arrays;

/**
 * Lists of jobs by key, with insertion, removal and access in constant time. A job is in several lists under different
 * ranks: its first piece or account has rank 0. The order of a list is arbitrary.
 */
final class JobLists {
    private static final int[] NONE = {};

    private final int[][] jobs;
    private final int[][] ranks;
    private final int[] size;
    /** Position in its list, by job and rank. */
    private final int[][] position;

    JobLists(int keys, int jobs) {
        this.jobs = new int[keys][];
        this.ranks = new int[keys][];
        this.size = new int[keys];
        this.position = new int[jobs][];
        Arrays.fill(this.jobs, NONE);
        Arrays.fill(this.ranks, NONE);
        Arrays.fill(this.position, NONE);
    }

    /** Returns the number of jobs in the list of {@code key}. */
    int size(int key) {
        return size[key];
    }

    /** Returns the job at a position of the list of {@code key}. */
    int get(int key, int at) {
        return jobs[key][at];
    }

    /** Returns the rank of the job at a position of the list of {@code key}. */
    int rank(int key, int at) {
        return ranks[key][at];
    }

    /** Adds job {@code j}, which has no entry of this rank, to the list of {@code key}. */
    void add(int key, int j, int rank) {
        int at = size[key]++;
        if (at == jobs[key].length) {
            jobs[key] = Arrays.copyOf(jobs[key], Math.max(4, 2 * at));
            ranks[key] = Arrays.copyOf(ranks[key], jobs[key].length);
        }
        if (rank >= position[j].length) {
            position[j] = Arrays.copyOf(position[j], Math.max(4, 2 * rank));
        }
        put(key, at, j, rank);
    }

    /** Removes the entry of job {@code j} with {@code rank} from the list of {@code key}. */
    void remove(int key, int j, int rank) {
        int last = --size[key];
        put(key, position[j][rank], jobs[key][last], ranks[key][last]);
    }

    private void put(int key, int at, int j, int rank) {
        jobs[key][at] = j;
        ranks[key][at] = rank;
        position[j][rank] = at;
    }
}
