package dev.spur.policies.support;

import dev.spur.model.job.Job;
import java.util.Arrays;
import java.util.Comparator;
import java.util.function.IntToDoubleFunction;

/** Orders of jobs. Ties go to the earlier arrival, then to the smaller id. */
public final class JobOrders {
    private JobOrders() {}

    /** The jobs of {@code snapshot} by arrival. */
    public static int[] byArrival(RoundView snapshot) {
        int[] jobs = new int[snapshot.jobs()];
        boolean sorted = true;
        for (int j = 0; j < jobs.length; j++) {
            jobs[j] = j;
            sorted &= j == 0 || compare(snapshot.job(j - 1), snapshot.job(j)) <= 0;
        }
        return sorted ? jobs : sorted(jobs, ties(snapshot));
    }

    /** The jobs of {@code snapshot} by {@code key}, the smallest first. */
    public static int[] by(RoundView snapshot, IntToDoubleFunction key) {
        double[] keys = new double[snapshot.jobs()];
        Arrays.setAll(keys, key);
        return sorted(byArrival(snapshot), Comparator.comparingDouble(j -> keys[j]));
    }

    /** The jobs of {@code snapshot} by the seconds that they still need on what they ask for, the shortest first. */
    public static int[] byRemainingTime(RoundView snapshot) {
        return by(snapshot, j -> remainingSeconds(snapshot, j));
    }

    /** Seconds to the end on the slots asked for, in the fastest lane; infinite if it runs nowhere. */
    private static double remainingSeconds(RoundView snapshot, int j) {
        double least = Double.POSITIVE_INFINITY;
        for (NodePartition lane : snapshot.lanesOf(j)) {
            least = Math.min(least, snapshot.remainingSeconds(j, lane, snapshot.requested(j)));
        }
        return least;
    }

    /** Comparison by arrival, then by id. */
    public static Comparator<Integer> ties(RoundView snapshot) {
        return (a, b) -> compare(snapshot.job(a), snapshot.job(b));
    }

    private static int compare(Job a, Job b) {
        int byArrival = Double.compare(a.arrival(), b.arrival());
        return byArrival == 0 ? a.id().compareTo(b.id()) : byArrival;
    }

    private static int[] sorted(int[] jobs, Comparator<Integer> order) {
        return Arrays.stream(jobs).boxed().sorted(order).mapToInt(j -> j).toArray();
    }
}
