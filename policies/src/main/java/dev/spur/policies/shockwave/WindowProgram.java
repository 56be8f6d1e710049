package dev.spur.policies.shockwave;

import dev.spur.model.job.Job;
import dev.spur.policies.support.NodePartition;
import dev.spur.policies.support.RoundView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Program that chooses the number of rounds of each job of a partition in a window.
 *
 * <pre>
 * sum over j of k(j) * n(j) &lt;= K * F,   0 &lt;= n(j) &lt;= F, integer
 * part(j) = (done + goodput * seconds of a round * n(j)) / W, at most 1
 * maximize  sum of late(j) * log~(part(j)) / (jobs * F) - kappa * rest
 * rest &gt;= left(j) - seconds of a round * n(j) for each j
 * </pre>
 *
 * log~ is the logarithm, interpolated linearly between 0, 0.2, .., 1. It is concave, so that each round of a job gains
 * at most as much as the previous one, and the objective is a sum over rounds. late(j) = max(1, lateness)^lambda, with
 * lateness = expected end / target.
 */
final class WindowProgram {
    private static final double[] BASES = {0, 0.2, 0.4, 0.6, 0.8, 1};

    /** Replacement for 0, whose logarithm is infinite. */
    private static final double ORIGIN = 1e-2;

    /** Maximum lateness weight, so that sums stay finite. */
    private static final double MAX_LATENESS = 1e100;

    /** Lateness exponent of a job that ends within a round, if lateness is on the absolute clock. */
    private static final double LAST_ROUND = 100;

    private final RoundView view;
    private final NodePartition partition;
    private final ShockwaveSettings settings;
    private final List<Integer> jobs;
    private final int slots;

    WindowProgram(RoundView view, NodePartition partition, List<Integer> jobs, int slots, ShockwaveSettings settings) {
        this.view = view;
        this.partition = partition;
        this.settings = settings;
        this.jobs = jobs;
        this.slots = slots;
    }

    /** Returns log~ at {@code part}, from 0 to 1. */
    static double logarithm(double part) {
        for (int i = 1; i < BASES.length; i++) {
            if (part <= BASES[i]) {
                double share = (part - BASES[i - 1]) / (BASES[i] - BASES[i - 1]);
                return (1 - share) * atBase(i - 1) + share * atBase(i);
            }
        }
        return 0;
    }

    private static double atBase(int i) {
        return Math.log(Math.max(ORIGIN, BASES[i]));
    }

    private RoundChoice.Entry entry(int j) {
        Job job = view.job(j);
        double goodput = view.goodput(j, partition, view.requestedSlots(j));
        double perRound = goodput * settings.roundSeconds();
        double total = job.spec().totalSamples();
        double done = Math.max(0, total - job.remainingSamples());
        double weight = lateness(j) / (jobs.size() * (double) settings.rounds());
        int useful = (int) Math.min(settings.rounds(), Math.ceil(job.remainingSamples() / perRound));
        List<Double> gains = new ArrayList<>();
        for (int i = 0; i < useful; i++) {
            double before = Math.min(total, done + i * perRound) / total;
            double after = Math.min(total, done + (i + 1) * perRound) / total;
            gains.add(weight * (logarithm(after) - logarithm(before)));
        }
        return new RoundChoice.Entry(view.requestedSlots(j), job.remainingSamples() / goodput, gains);
    }

    /**
     * Returns the lateness weight of job {@code j}: its expected end with an equal share from now on, relative to its
     * target.
     */
    private double lateness(int j) {
        double left = view.remainingSeconds(j, partition, view.requestedSlots(j));
        boolean isLast = settings.lateByClock() && left < settings.roundSeconds();
        double lateness = Math.max(1, lateness(view, partition, jobs, j, settings.lateByClock()));
        return Math.min(MAX_LATENESS, Math.pow(lateness, isLast ? LAST_ROUND : settings.lateFactor()));
    }

    /**
     * Returns expected end over target. The target is the end with an equal share of the partition from the arrival on.
     * Both count from the arrival; with {@code byClock} both count from time zero, which brings the lateness of recent
     * arrivals closer to 1.
     */
    static double lateness(RoundView view, NodePartition partition, List<Integer> jobs, int j, boolean byClock) {
        Job job = view.job(j);
        double goodput = view.goodput(j, partition, view.requestedSlots(j));
        double desired = byClock
                ? jobs.size()
                : jobs.stream().mapToInt(view::requestedSlots).sum();
        double share = Math.min(1, partition.slots() / Math.max(1, desired));
        double whole = job.spec().totalSamples() / goodput / share;
        double rest = job.remainingSamples() / goodput / share;
        double zero = byClock ? 0 : job.arrival();
        return (view.now() - zero + rest) / (job.arrival() - zero + whole);
    }

    /** Returns the number of rounds of each job. */
    Map<Integer, Integer> solve() {
        List<RoundChoice.Entry> entries = jobs.stream().map(this::entry).toList();
        List<Integer> chosen = new RoundChoice(
                        entries, (long) slots * settings.rounds(), settings.roundSeconds(), settings.makespanFactor())
                .best();
        Map<Integer, Integer> rounds = new HashMap<>();
        for (int i = 0; i < jobs.size(); i++) {
            rounds.put(jobs.get(i), chosen.get(i));
        }
        return rounds;
    }
}
