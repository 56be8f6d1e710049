package dev.spur.policies.shockwave;

import dev.spur.model.job.Job;
import dev.spur.policies.support.NodePartition;
import dev.spur.policies.support.RoundView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How many rounds of a window each job of a lane gets.
 *
 * <pre>
 * sum over j of k(j) * n(j) &lt;= K * F,   0 &lt;= n(j) &lt;= F whole,   part(j) = (done + goodput * seconds of a round * n(j)) / W, at most 1
 * maximize  sum of late(j) * log~(part(j)) / (jobs * F) - kappa * longest rest,   rest(j) &gt;= left(j) - seconds of a round * n(j)
 * </pre>
 *
 * log~ is the logarithm, straight between 0, 0.2, .., 1; it bends down, so that each round of a job is worth no more
 * than the one before, and a sum over rounds does. late(j) = max(1, lateness)^lambda, with lateness = expected end /
 * target.
 */
final class WindowProgram {
    private static final double[] BASES = {0, 0.2, 0.4, 0.6, 0.8, 1};

    /** Stands for 0, whose logarithm is infinite. */
    private static final double ORIGIN = 1e-2;

    /** No lateness weighs more than this, so that sums stay finite. */
    private static final double MOST_LATE = 1e100;

    /** Exponent of the lateness of a job that ends within a round, where jobs are late by the clock. */
    private static final double LAST_ROUND = 100;

    private final RoundView snapshot;
    private final NodePartition lane;
    private final ShockwaveSettings settings;
    private final List<Integer> jobs;
    private final int slots;

    WindowProgram(RoundView snapshot, NodePartition lane, List<Integer> jobs, int slots, ShockwaveSettings settings) {
        this.snapshot = snapshot;
        this.lane = lane;
        this.settings = settings;
        this.jobs = jobs;
        this.slots = slots;
    }

    /** log~ at {@code part}, from 0 to 1. */
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
        Job job = snapshot.job(j);
        double goodput = snapshot.goodput(j, lane, snapshot.requested(j));
        double perRound = goodput * settings.roundSeconds();
        double total = job.spec().totalSamples();
        double done = Math.max(0, total - job.remainingSamples());
        double weight = late(j) / (jobs.size() * (double) settings.rounds());
        int useful = (int) Math.min(settings.rounds(), Math.ceil(job.remainingSamples() / perRound));
        List<Double> gains = new ArrayList<>();
        for (int i = 0; i < useful; i++) {
            double before = Math.min(total, done + i * perRound) / total;
            double after = Math.min(total, done + (i + 1) * perRound) / total;
            gains.add(weight * (logarithm(after) - logarithm(before)));
        }
        return new RoundChoice.Entry(snapshot.requested(j), job.remainingSamples() / goodput, gains);
    }

    /** Weight of a job by how much later than its target it would end with an equal share from now on. */
    private double late(int j) {
        double left = snapshot.remainingSeconds(j, lane, snapshot.requested(j));
        boolean isLast = settings.lateByClock() && left < settings.roundSeconds();
        double lateness = Math.max(1, lateness(snapshot, lane, jobs, j, settings.lateByClock()));
        return Math.min(MOST_LATE, Math.pow(lateness, isLast ? LAST_ROUND : settings.lateFactor()));
    }

    /**
     * Expected end over target, which is the end with an equal share of the lane from the arrival on: both since the
     * arrival, or {@code byClock} both since the zero of the clock, which draws what came late closer to 1.
     */
    static double lateness(RoundView snapshot, NodePartition lane, List<Integer> jobs, int j, boolean byClock) {
        Job job = snapshot.job(j);
        double goodput = snapshot.goodput(j, lane, snapshot.requested(j));
        double wanted = byClock
                ? jobs.size()
                : jobs.stream().mapToInt(snapshot::requested).sum();
        double share = Math.min(1, lane.slots() / Math.max(1, wanted));
        double whole = job.spec().totalSamples() / goodput / share;
        double rest = job.remainingSamples() / goodput / share;
        double zero = byClock ? 0 : job.arrival();
        return (snapshot.now() - zero + rest) / (job.arrival() - zero + whole);
    }

    /** Rounds of each job. */
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
