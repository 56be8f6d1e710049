package dev.spur.policies.support;

import dev.spur.model.job.Job;
import java.util.Arrays;
import java.util.Comparator;
import java.util.function.IntToDoubleFunction;

/** Orders of jobs. Ties go to the earlier arrival, then to the smaller id. */
public final class JobOrders {
    private JobOrders() {}

    /** Returns the jobs of {@code view} by arrival. */
    public static int[] byArrival(RoundView view) {
        int[] jobs = new int[view.jobs()];
        boolean sorted = true;
        for (int j = 0; j < jobs.length; j++) {
            jobs[j] = j;
            sorted &= j == 0 || compare(view.job(j - 1), view.job(j)) <= 0;
        }
        return sorted ? jobs : sort(jobs, ties(view));
    }

    /** Returns the jobs of {@code view} by ascending {@code key}. */
    public static int[] by(RoundView view, IntToDoubleFunction key) {
        double[] keys = new double[view.jobs()];
        Arrays.setAll(keys, key);
        return sort(byArrival(view), Comparator.comparingDouble(j -> keys[j]));
    }

    /** Returns the jobs of {@code view} by remaining run time on the requested slots, shortest first. */
    public static int[] byRemainingTime(RoundView view) {
        return by(view, j -> remainingSeconds(view, j));
    }

    /**
     * Returns the remaining seconds on the requested slots in the fastest partition; infinite if the job runs in no
     * partition.
     */
    private static double remainingSeconds(RoundView view, int j) {
        double min = Double.POSITIVE_INFINITY;
        for (NodePartition partition : view.partitionsOf(j)) {
            min = Math.min(min, view.remainingSeconds(j, partition, view.requestedSlots(j)));
        }
        return min;
    }

    /** Returns the comparator by arrival, then by id. */
    public static Comparator<Integer> ties(RoundView view) {
        return (a, b) -> compare(view.job(a), view.job(b));
    }

    private static int compare(Job a, Job b) {
        int byArrival = Double.compare(a.arrival(), b.arrival());
        return byArrival == 0 ? a.id().compareTo(b.id()) : byArrival;
    }

    private static int[] sort(int[] jobs, Comparator<Integer> order) {
        return Arrays.stream(jobs).boxed().sorted(order).mapToInt(j -> j).toArray();
    }
}
