package dev.spur.solver;

import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.Job;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * What a tiny round owes, settled one obligation after the other by enumeration: promised deadlines if they hold
 * together; then overdue jobs, the longest wait first, and deadlines that ask, by arrival, each if it holds with all
 * before it.
 */
public final class EnumeratedObligations {
    private final CandidateSet candidates;
    private final double now;

    public EnumeratedObligations(CandidateSet candidates) {
        this.candidates = candidates;
        this.now = candidates.problem().now();
    }

    /** Worth of the best plan that meets what can be met. */
    public double bestWorth() {
        List<IntPredicate> guaranteed =
                obligations(job -> job.deadlineStatus() == DeadlineStatus.GUARANTEED, byArrival(), this::isOnPace);
        return Enumeration.isPossible(candidates, guaranteed)
                ? Enumeration.bestPlacedWorth(candidates, inTurn(guaranteed, hoped()))
                : Enumeration.bestPlacedWorth(candidates, inTurn(List.of(), guaranteed));
    }

    private List<IntPredicate> hoped() {
        double patience = candidates.problem().settings().starvationLimitSeconds();
        List<IntPredicate> hoped = obligations(
                job -> job.allocation() == null && job.waitingSeconds(now) >= patience,
                Comparator.comparingDouble((Job job) -> -job.waitingSeconds(now))
                        .thenComparing(byArrival()),
                candidate -> true);
        hoped.addAll(obligations(
                job -> job.deadlineStatus() == DeadlineStatus.PENDING || job.deadlineStatus() == DeadlineStatus.AT_RISK,
                byArrival(),
                this::isOnPace));
        return hoped;
    }

    private List<IntPredicate> inTurn(List<IntPredicate> settled, List<IntPredicate> desired) {
        List<IntPredicate> met = new ArrayList<>(settled);
        for (IntPredicate next : desired) {
            met.add(next);
            if (!Enumeration.isPossible(candidates, met)) {
                met.remove(next);
            }
        }
        return met;
    }

    /** For each job in question that has such a candidate: true for those candidates. */
    private List<IntPredicate> obligations(Predicate<Job> which, Comparator<Job> order, Predicate<Candidate> meets) {
        List<IntPredicate> obligations = new ArrayList<>();
        IntStream.range(0, candidates.jobs())
                .filter(j -> which.test(candidates.job(j)))
                .boxed()
                .sorted(Comparator.comparing(candidates::job, order))
                .forEach(j -> {
                    IntPredicate met = c -> candidates.get(c).job() == j && meets.test(candidates.get(c));
                    if (IntStream.range(candidates.first(j), candidates.end(j)).anyMatch(met)) {
                        obligations.add(met);
                    }
                });
        return obligations;
    }

    private boolean isOnPace(Candidate candidate) {
        Job job = candidates.job(candidate.job());
        double restart = candidate.isRetained()
                ? Math.max(0, job.allocation().since() + job.spec().restartPenaltySeconds() - now)
                : job.spec().restartPenaltySeconds();
        return candidate.goodput() * (job.deadline() - now - restart) >= job.remainingSamples();
    }

    private static Comparator<Job> byArrival() {
        return Comparator.comparingDouble(Job::arrival).thenComparing(Job::id);
    }
}
