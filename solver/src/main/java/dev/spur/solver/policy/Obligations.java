package dev.spur.solver.policy;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.Job;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.WaitLimits;
import dev.spur.solver.placement.ResidualCapacity;
import dev.spur.solver.placement.ResourceDemand;
import dev.spur.solver.program.Obligation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Hard commitments of a plan to single jobs, whatever their utility: guaranteed deadlines, jobs beyond the starvation
 * limit, and deadlines that request a guarantee.
 *
 * <p>A candidate meets a deadline if the job, kept in it, ends in time. It still does so as long as it is kept, so
 * commitments that hold together once hold together until the cluster shrinks.
 *
 * <p><b>No job waits for ever.</b> Let rounds start every {@code period} seconds. Let {@code protection} be the longest
 * time for which a running job is protected: its minimum run time, its restart penalty, or the time to its end if that
 * is guaranteed. Consider a job that fits alongside the non-preemptible jobs, within the quota, the cap of its group
 * and the aggregation that these leave. It starts at the latest
 *
 * <pre>limit + (n + 1) * (hold + period) + period</pre>
 *
 * seconds after it began to wait. Here {@code limit} is its wait limit, and n is the number of jobs of its class that
 * are overdue for longer. {@code hold} is the longest of {@code protection}, half the limit, and the stints of these
 * jobs. A stint lasts at most the wait limit. Proof: overdue jobs are served in the order in which they became overdue,
 * and no later job overtakes. Where running jobs are in the way, {@link OverdueJobs} reserves the nodes that they leave
 * first: they are stopped after their protection or stint, or end within half the limit. The bound does not hold under
 * a restart limit per round, nor against jobs of higher classes.
 */
final class Obligations {
    /**
     * Maximum number of commitments that are weighed against each other at once: each needs a power of two of its own.
     */
    static final int MAX_WEIGHED = 60;
    /**
     * Tolerance for a job that is exactly on pace, so that rounding does not accumulate over rounds; far below the
     * tolerance of the plan validator.
     */
    private static final double ROUNDING = 1e-9;

    private Obligations() {}

    /** Returns the guaranteed deadlines, in order of arrival. */
    static List<Obligation> guaranteedDeadlines(CandidateSet candidates) {
        return IntStream.range(0, candidates.jobs())
                .filter(j -> candidates.job(j).deadlineStatus() == DeadlineStatus.GUARANTEED)
                .boxed()
                .sorted(byArrival(candidates))
                .map(j -> new Obligation(j, onPace(candidates, j)))
                .filter(obligation -> !obligation.candidates().isEmpty())
                .toList();
    }

    /**
     * Returns the stints of jobs that {@code which} accepts and that started overdue, in order of arrival: they keep
     * running in some configuration.
     */
    static List<Obligation> stints(CandidateSet candidates, IntPredicate which) {
        WaitLimits limits = candidates.limits();
        return IntStream.range(0, candidates.jobs())
                .filter(j -> which.test(j) && limits.isInStint(candidates.job(j)))
                .filter(j -> candidates.job(j).deadlineStatus() != DeadlineStatus.GUARANTEED)
                .boxed()
                .sorted(byArrival(candidates))
                .map(j -> new Obligation(j, all(candidates, j)))
                .filter(obligation -> !obligation.candidates().isEmpty())
                .toList();
    }

    /** Returns deadlines of jobs that {@code which} accepts and that request a guarantee, in order of arrival. */
    static List<Obligation> requestedDeadlines(CandidateSet candidates, IntPredicate which) {
        return IntStream.range(0, candidates.jobs())
                .filter(j -> which.test(j) && requestsGuarantee(candidates.job(j)))
                .boxed()
                .sorted(byArrival(candidates))
                .map(j -> new Obligation(j, onPace(candidates, j)))
                .filter(obligation -> !obligation.candidates().isEmpty())
                .toList();
    }

    /**
     * Returns {@code hardObligations} and those of {@code softObligations} that fit with them, placed one after
     * another; of {@code hardObligations} those come first whose jobs can keep their allocations. With a restart limit
     * they take only slots that no job holds. The result is empty if {@code hardObligations} does not fit. An
     * obligation that is left out may still fit.
     */
    static List<Obligation> fitting(
            CandidateSet candidates, List<Obligation> hardObligations, List<Obligation> softObligations) {
        boolean limited = candidates.problem().settings().maxRestarts() != null;
        ResidualCapacity residual = limited ? free(candidates) : ResidualCapacity.withoutPinned(candidates);
        List<Obligation> fitting = new ArrayList<>();
        Stream.of(true, false)
                .flatMap(retained ->
                        hardObligations.stream().filter(obligation -> isRetained(candidates, obligation) == retained))
                .filter(obligation -> fits(candidates, obligation, residual, limited))
                .forEach(fitting::add);
        if (fitting.size() < hardObligations.size()) {
            return List.of();
        }
        Set<Integer> placed = new HashSet<>();
        softObligations.stream()
                .filter(obligation -> !placed.contains(obligation.job()))
                .filter(obligation -> fits(candidates, obligation, residual, limited))
                .forEach(obligation -> {
                    placed.add(obligation.job());
                    fitting.add(obligation);
                });
        return fitting;
    }

    private static ResidualCapacity free(CandidateSet candidates) {
        ResidualCapacity residual = new ResidualCapacity(candidates);
        for (int j = 0; j < candidates.jobs(); j++) {
            Allocation heldAllocation = candidates.job(j).allocation();
            if (heldAllocation != null) {
                residual.occupy(j, heldAllocation);
            }
        }
        return residual;
    }

    /** Places {@code obligation} in {@code residual} and returns whether it fits; pinned jobs are already there. */
    private static boolean fits(
            CandidateSet candidates, Obligation obligation, ResidualCapacity residual, boolean limited) {
        if (candidates.isPinned(obligation.job())) {
            return true;
        }
        if (limited && candidates.job(obligation.job()).allocation() != null) {
            return isRetained(candidates, obligation);
        }
        return place(candidates, obligation, true, residual) || place(candidates, obligation, false, residual);
    }

    private static boolean isRetained(CandidateSet candidates, Obligation obligation) {
        return obligation.candidates().stream().anyMatch(candidates::isRetained);
    }

    private static boolean place(
            CandidateSet candidates, Obligation obligation, boolean retained, ResidualCapacity residual) {
        return obligation.candidates().stream()
                .filter(c -> candidates.get(c).isRetained() == retained)
                .filter(c -> retained || residual.cluster().mayHold(candidates.get(c)))
                .anyMatch(c -> residual.place(ResourceDemand.of(candidates, candidates.get(c))) != null);
    }

    /** Returns whether {@code candidate} meets the deadline of its job. */
    static boolean isOnPace(CandidateSet candidates, Candidate candidate) {
        Job job = candidates.job(candidate.job());
        return isOnPace(
                job,
                candidate.goodput(),
                candidate.guaranteedChange(),
                candidates.problem().now());
    }

    /**
     * Returns whether {@code job} ends by its deadline at this goodput from {@code now} on.
     *
     * @param change how it adopts the configuration; the stall comes first
     */
    static boolean isOnPace(Job job, double goodput, ChangeMechanism change, double now) {
        if (job.deadline() == null) {
            return false;
        }
        double seconds = job.deadline() - now - job.secondsToProgress(change, now);
        return goodput * seconds >= job.remainingSamples() * (1 - ROUNDING);
    }

    private static boolean requestsGuarantee(Job job) {
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
