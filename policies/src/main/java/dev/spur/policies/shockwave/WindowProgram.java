package dev.spur.policies.shockwave;

import dev.spur.model.job.Job;
import dev.spur.policies.round.Lane;
import dev.spur.policies.round.Snapshot;
import dev.spur.solver.solve.LinearProgram;
import dev.spur.solver.solve.LinearSolution;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How many rounds of a window each job of a lane gets.
 *
 * <pre>
 * sum over j of k(j) * n(j) &lt;= K * F,   0 &lt;= n(j) &lt;= F whole,   part(j) = (done + goodput * seconds of a round * n(j)) / W, at most 1
 * maximize  sum of late(j) * log~(part(j)) / (jobs * F) - kappa * longest rest,   rest(j) &gt;= left(j) - seconds of a round * n(j)
 * </pre>
 *
 * log~ is the logarithm, straight between 0, 0.2, .., 1; it bends down, so that each round of a job is worth no more than the one
 * before, and a sum over rounds does. late(j) = max(1, lateness)^lambda, with lateness = expected end / target.
 */
final class WindowProgram {
    private static final double[] BASES = {0, 0.2, 0.4, 0.6, 0.8, 1};

    /** Stands for 0, whose logarithm is infinite. */
    private static final double ORIGIN = 1e-2;

    private static final double GAP = 1e-3;

    /** No lateness weighs more than this, or it would drown all others in rounding. */
    private static final double MOST_LATE = 1e3;

    private final Snapshot snapshot;
    private final Lane lane;
    private final ShockwaveSettings settings;
    private final List<Integer> jobs;
    private final LinearProgram program = new LinearProgram();
    private final Map<Integer, List<Integer>> roundsOf = new HashMap<>();

    WindowProgram(Snapshot snapshot, Lane lane, List<Integer> jobs, int slots, ShockwaveSettings settings) {
        this.snapshot = snapshot;
        this.lane = lane;
        this.settings = settings;
        this.jobs = jobs;
        int room = program.atMost((double) slots * settings.rounds());
        int longest = program.variable(0, Double.POSITIVE_INFINITY, -settings.makespanFactor());
        for (int j : jobs) {
            addJob(j, room, longest);
        }
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

    private void addJob(int j, int room, int longest) {
        Job job = snapshot.job(j);
        int slots = snapshot.requested(j);
        double perRound = snapshot.goodput(j, lane, slots) * settings.roundSeconds();
        double total = job.spec().totalSamples();
        double done = Math.max(0, total - job.remainingSamples());
        double left = job.remainingSamples() / snapshot.goodput(j, lane, slots);
        double weight = late(j) / (jobs.size() * (double) settings.rounds());
        int rest = program.atLeast(left);
        program.add(rest, longest, 1);
        List<Integer> own = new ArrayList<>();
        int useful = (int) Math.min(settings.rounds(), Math.ceil(job.remainingSamples() / perRound));
        for (int i = 0; i < useful; i++) {
            double before = Math.min(total, done + i * perRound) / total;
            double after = Math.min(total, done + (i + 1) * perRound) / total;
            int round = program.binary(weight * (logarithm(after) - logarithm(before)));
            program.add(room, round, slots);
            program.add(rest, round, settings.roundSeconds());
            own.add(round);
        }
        roundsOf.put(j, own);
    }

    /** Weight of a job by how much later than its target it would end with an equal share from now on. */
    private double late(int j) {
        return Math.min(MOST_LATE, Math.pow(Math.max(1, lateness(snapshot, lane, jobs, j)), settings.lateFactor()));
    }

    /** Expected end over target, both since the arrival: the target is the whole run time with an equal share of the lane. */
    static double lateness(Snapshot snapshot, Lane lane, List<Integer> jobs, int j) {
        Job job = snapshot.job(j);
        int slots = snapshot.requested(j);
        double goodput = snapshot.goodput(j, lane, slots);
        double demanded = jobs.stream().mapToInt(snapshot::requested).sum();
        double share = Math.min(1, lane.slots() / Math.max(1, demanded));
        double target = job.spec().totalSamples() / goodput / share;
        double expected = snapshot.now() - job.arrival() + job.remainingSamples() / goodput / share;
        return expected / target;
    }

    /** Rounds of each job; empty if the budget of the round is spent before anything is found. */
    Map<Integer, Integer> solve() {
        Optional<LinearSolution> solution =
                program.maximize(snapshot.problem().settings().budget(), GAP);
        Map<Integer, Integer> rounds = new HashMap<>();
        solution.ifPresent(found -> roundsOf.forEach((j, own) ->
                rounds.put(j, (int) own.stream().filter(found::isOne).count())));
        return rounds;
    }
}
