package dev.spur.solver.policy;

import dev.spur.model.job.Job;
import dev.spur.model.job.Promise;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.program.Obligation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What a plan owes to single jobs, whatever it is worth: deadlines that were promised, waits that have become too long, and
 * deadlines that ask for a promise.
 *
 * <p>A candidate keeps a deadline if the job, left in it, is done in time; such a candidate stays one as long as it is kept,
 * so promises that hold together once hold together until the cluster shrinks.
 */
final class Obligations {
    /** Obligations that are weighed against each other at once: as many as have powers of two of their own. */
    static final int MOST_WEIGHED = 60;

    private Obligations() {}

    /** Deadlines that were promised, by arrival. */
    static List<Obligation> promised(CandidateSet candidates) {
        return IntStream.range(0, candidates.jobs())
                .filter(j -> candidates.job(j).promise() == Promise.PROMISED)
                .boxed()
                .sorted(byArrival(candidates))
                .map(j -> new Obligation(j, onPace(candidates, j)))
                .filter(obligation -> !obligation.candidates().isEmpty())
                .toList();
    }

    /** Jobs that have waited longer than the operator's patience, the longest wait first; then deadlines that ask, by arrival. */
    static List<Obligation> hoped(CandidateSet candidates) {
        double now = candidates.problem().now();
        double patience = candidates.problem().settings().patienceSeconds();
        List<Obligation> hoped = new ArrayList<>();
        IntStream.range(0, candidates.jobs())
                .filter(j -> candidates.job(j).allocation() == null
                        && candidates.job(j).waited(now) >= patience)
                .boxed()
                .sorted(Comparator.comparingDouble(
                                (Integer j) -> -candidates.job(j).waited(now))
                        .thenComparing(byArrival(candidates)))
                .map(j -> new Obligation(j, all(candidates, j)))
                .forEach(hoped::add);
        IntStream.range(0, candidates.jobs())
                .filter(j -> asks(candidates.job(j)))
                .boxed()
                .sorted(byArrival(candidates))
                .map(j -> new Obligation(j, onPace(candidates, j)))
                .forEach(hoped::add);
        hoped.removeIf(obligation -> obligation.candidates().isEmpty());
        return hoped.size() > MOST_WEIGHED ? hoped.subList(0, MOST_WEIGHED) : hoped;
    }

    /** True if {@code candidate} keeps the deadline of its job. */
    static boolean isOnPace(CandidateSet candidates, Candidate candidate) {
        Job job = candidates.job(candidate.job());
        if (job.deadline() == null) {
            return false;
        }
        double restart = candidate.kept() ? 0 : job.spec().restartPenaltySeconds();
        double seconds = job.deadline() - candidates.problem().now() - restart;
        return candidate.goodput() * seconds >= job.remainingSamples();
    }

    private static boolean asks(Job job) {
        return job.promise() == Promise.ASKED || job.promise() == Promise.AT_RISK;
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
