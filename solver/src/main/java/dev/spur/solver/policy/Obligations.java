package dev.spur.solver.policy;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.Job;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.ResidualCluster;
import dev.spur.solver.program.Obligation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What a plan owes to single jobs, whatever it is worth: deadlines that were promised, waits that have become too long,
 * and deadlines that ask for a promise.
 *
 * <p>A candidate keeps a deadline if the job, left in it, is done in time; such a candidate stays one as long as it is
 * kept, so promises that hold together once hold together until the cluster shrinks.
 *
 * <p><b>No job waits for ever.</b> Let rounds come every {@code period} seconds, and let {@code protection} be the
 * longest time for which a job that runs may not be touched: its minimum run time, its restart penalty, or the time to
 * its end if that is promised. A job that would fit beside the jobs that are not preemptible, within the quota, the cap
 * of its group and the aggregation that these leave, starts at the latest
 *
 * <pre>patience + (n + 1) * (protection + period) + period</pre>
 *
 * seconds after it began to wait, where n is the number of jobs that have waited longer when its patience ends. For:
 * among overdue jobs the longest wait goes first, and nobody who comes later gets ahead of it. If jobs that may not be
 * touched are in its way, {@link StarvationReservationPlanner} keeps the place that they leave first, and they leave it
 * within {@code protection}. The bound does not hold under a limit of restarts per round.
 */
final class Obligations {
    /** Obligations that are weighed against each other at once: as many as have powers of two of their own. */
    static final int MOST_WEIGHED = 60;
    /**
     * A job that is just on pace must not fall behind by rounding from round to round; far below the judge's tolerance.
     */
    private static final double ROUNDING = 1e-9;

    private Obligations() {}

    /** Deadlines that were promised, by arrival. */
    static List<Obligation> promised(CandidateSet candidates) {
        return IntStream.range(0, candidates.jobs())
                .filter(j -> candidates.job(j).deadlineStatus() == DeadlineStatus.GUARANTEED)
                .boxed()
                .sorted(byArrival(candidates))
                .map(j -> new Obligation(j, onPace(candidates, j)))
                .filter(obligation -> !obligation.candidates().isEmpty())
                .toList();
    }

    /** Jobs that have waited longer than the operator's patience, the longest wait first. */
    static List<Integer> overdue(CandidateSet candidates) {
        double now = candidates.problem().now();
        double patience = candidates.problem().settings().starvationLimitSeconds();
        return IntStream.range(0, candidates.jobs())
                .filter(j -> candidates.job(j).allocation() == null
                        && candidates.job(j).waited(now) >= patience)
                .boxed()
                .sorted(Comparator.comparingDouble(
                                (Integer j) -> -candidates.job(j).waited(now))
                        .thenComparing(byArrival(candidates)))
                .toList();
    }

    /**
     * Overdue jobs that fit beside those that may not be touched now, the longest wait first; then deadlines that ask,
     * by arrival.
     */
    static List<Obligation> hoped(CandidateSet candidates) {
        List<Obligation> hoped = new ArrayList<>();
        ResidualCluster room = besideUntouchables(candidates);
        for (int j : overdue(candidates)) {
            if (hoped.size() < MOST_WEIGHED && fits(candidates, j, room)) {
                hoped.add(new Obligation(j, all(candidates, j)));
            }
        }
        IntStream.range(0, candidates.jobs())
                .filter(j -> asks(candidates.job(j)))
                .boxed()
                .sorted(byArrival(candidates))
                .map(j -> new Obligation(j, onPace(candidates, j)))
                .filter(obligation -> !obligation.candidates().isEmpty())
                .limit(MOST_WEIGHED - hoped.size())
                .forEach(hoped::add);
        return hoped;
    }

    private static ResidualCluster besideUntouchables(CandidateSet candidates) {
        ResidualCluster room = new ResidualCluster(candidates);
        for (int j = 0; j < candidates.jobs(); j++) {
            Allocation held = candidates.job(j).allocation();
            if (held != null && candidates.mustStay(j)) {
                room.occupy(j, held);
            }
        }
        return room;
    }

    private static boolean fits(CandidateSet candidates, int j, ResidualCluster room) {
        return candidates.of(j).fresh().stream()
                .anyMatch(candidate -> room.limitsAllow(candidate)
                        && room.aggregationAllows(candidate)
                        && !room.nodesFor(candidate).isEmpty());
    }

    /** True if {@code candidate} keeps the deadline of its job. */
    static boolean isOnPace(CandidateSet candidates, Candidate candidate) {
        double now = candidates.problem().now();
        return isOnPace(candidates.job(candidate.job()), candidate.goodput(), candidate.kept(), now);
    }

    /**
     * True if {@code job}, left at this goodput from {@code now} on, is done by its deadline.
     *
     * @param unchanged true if it goes on as it is: at most the rest of its last restart comes first
     */
    static boolean isOnPace(Job job, double goodput, boolean unchanged, double now) {
        if (job.deadline() == null) {
            return false;
        }
        double restart = unchanged ? job.restartSecondsLeft(now) : job.spec().restartPenaltySeconds();
        double seconds = job.deadline() - now - restart;
        return goodput * seconds >= job.remainingSamples() * (1 - ROUNDING);
    }

    private static boolean asks(Job job) {
        return job.deadlineStatus() == DeadlineStatus.PENDING || job.deadlineStatus() == DeadlineStatus.AT_RISK;
    }

    private static List<Integer> onPace(CandidateSet candidates, int j) {
        return all(candidates, j).stream()
                .filter(c -> isOnPace(candidates, candidates.get(c)))
                .toList();
    }

    private static List<Integer> all(CandidateSet candidates, int j) {
        return IntStream.range(candidates.first(j), candidates.end(j)).boxed().toList();
    }

    private static Comparator<Integer> byArrival(CandidateSet candidates) {
        return Comparator.comparingDouble((Integer j) -> candidates.job(j).arrival())
                .thenComparing(j -> candidates.job(j).id());
    }
}
