package dev.spur.solver.policy;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.Job;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.WaitLimits;
import dev.spur.solver.placement.ResidualCapacity;
import dev.spur.solver.placement.ResidualCluster;
import dev.spur.solver.placement.ResourceDemand;
import dev.spur.solver.placement.StarvationReservation;
import dev.spur.solver.policy.Releases.Release;
import dev.spur.solver.program.Obligation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The overdue jobs of a round, and how each of them starts: now, or on nodes that are reserved until running jobs
 * release them.
 *
 * <p>An overdue job starts now if it fits next to all running jobs. Otherwise it waits for the ends of running jobs, or
 * running jobs are stopped, whichever loses fewer slot-seconds. It waits for ends at most half of its wait limit
 * longer. A reservation admits other jobs that are expected to end before it starts, as EASY backfill does (Lifka,
 * JSSPP 1995).
 */
final class OverdueJobs {
    /** Maximum number of overdue jobs in one round that stop running jobs or reserve nodes. */
    private static final int MAX_EXAMINED = 60;
    /** Maximum further wait for the ends of running jobs, as a share of the wait limit. */
    private static final double DRAIN_SHARE = 0.5;

    private final CandidateSet candidates;
    private final double now;
    private final List<Integer> order;
    private final List<Obligation> startObligations = new ArrayList<>();
    private @Nullable StarvationReservation reservation;

    OverdueJobs(CandidateSet candidates) {
        this.candidates = candidates;
        this.now = candidates.problem().now();
        WaitLimits limits = candidates.limits();
        this.order = IntStream.range(0, candidates.jobs())
                .filter(j -> limits.isOverdue(candidates.job(j)))
                .boxed()
                .sorted(Comparator.comparingDouble((Integer j) -> limits.overdueAt(candidates.job(j)))
                        .thenComparing(j -> candidates.job(j).id()))
                .toList();
        if (!order.isEmpty()) {
            plan();
        }
    }

    /** Returns the obligations of the jobs that start now, the one that is overdue the longest first. */
    List<Obligation> startObligations() {
        return startObligations;
    }

    /** Returns the reservation of the first job that waits for releases; null if there is none. */
    @Nullable
    StarvationReservation reservation() {
        return reservation;
    }

    /**
     * Returns whether, with the reservation, every commitment met {@code obligationsBefore} that is guaranteed or older
     * is still met.
     */
    boolean isReservationSafe(List<Obligation> obligationsBefore, List<Obligation> obligationsAfter) {
        if (reservation == null) {
            return true;
        }
        Set<Integer> still = obligationsAfter.stream().map(Obligation::job).collect(Collectors.toSet());
        Set<Integer> ahead = new HashSet<>(order.subList(0, order.indexOf(reservation.job())));
        return obligationsBefore.stream()
                .map(Obligation::job)
                .filter(j -> candidates.job(j).deadlineStatus() == DeadlineStatus.GUARANTEED || ahead.contains(j))
                .allMatch(still::contains);
    }

    private void plan() {
        ResidualCapacity freeCapacity = new ResidualCapacity(candidates);
        ResidualCapacity movableCapacity = new ResidualCapacity(candidates);
        for (int j = 0; j < candidates.jobs(); j++) {
            Job job = candidates.job(j);
            Allocation heldAllocation = job.allocation();
            if (heldAllocation != null) {
                freeCapacity.occupy(j, heldAllocation);
                if (candidates.isPinned(j) || candidates.limits().isInStint(job)) {
                    movableCapacity.occupy(j, heldAllocation);
                }
            }
        }
        Releases releases = new Releases(candidates);
        int examined = 0;
        for (int j : order) {
            if (place(j, freeCapacity)) {
                startObligations.add(new Obligation(j, all(j)));
            } else if (reservation == null && examined++ < MAX_EXAMINED) {
                reservation = drain(j, releases, movableCapacity);
                if (reservation == null && fits(j, movableCapacity)) {
                    startObligations.add(new Obligation(j, all(j)));
                }
            }
        }
    }

    /** Returns the reservation on which job {@code j} is to wait; null if it starts now, or never. */
    private @Nullable StarvationReservation drain(int j, Releases releases, ResidualCapacity movableCapacity) {
        double limit = candidates.limits().seconds(candidates.job(j));
        Release best = null;
        Candidate chosen = null;
        for (Candidate candidate : smallestOfEachClass(j, movableCapacity)) {
            Release ends = releases.byEnds(candidate);
            Release stops = releases.byStops(candidate);
            boolean waits = ends != null
                    && (stops == null || (ends.time() - now <= DRAIN_SHARE * limit && ends.cost() <= stops.cost()));
            Release own = waits ? ends : stops;
            if (own != null && (best == null || own.time() < best.time())) {
                best = own;
                chosen = candidate;
            }
        }
        return best == null || chosen == null || best.time() <= now
                ? null
                : new StarvationReservation(j, chosen.configuration(), best.nodes(), best.time());
    }

    /** Returns by class the candidates with the minimum number of slots, those on the minimum number of nodes first. */
    private List<Candidate> smallestOfEachClass(int j, ResidualCapacity movableCapacity) {
        Map<Integer, List<Candidate>> smallestCandidates = new TreeMap<>();
        for (Candidate candidate : candidates.of(j).freshCandidates()) {
            if (movableCapacity.limitsAllow(ResourceDemand.of(candidates, candidate))) {
                List<Candidate> ownCandidates =
                        smallestCandidates.computeIfAbsent(candidate.nodeClass(), k -> new ArrayList<>());
                if (ownCandidates.isEmpty() || ownCandidates.get(0).slots() == candidate.slots()) {
                    ownCandidates.add(candidate);
                }
            }
        }
        return smallestCandidates.values().stream().flatMap(List::stream).toList();
    }

    /** Places job {@code j} in {@code freeCapacity}; returns false if no candidate fits. */
    private boolean place(int j, ResidualCapacity freeCapacity) {
        for (Candidate candidate : candidates.of(j).freshCandidates()) {
            if (freeCapacity.cluster().mayHold(candidate)
                    && freeCapacity.place(ResourceDemand.of(candidates, candidate)) != null) {
                return true;
            }
        }
        return false;
    }

    private boolean fits(int j, ResidualCapacity residual) {
        return candidates.of(j).freshCandidates().stream()
                .filter(residual.cluster()::mayHold)
                .map(candidate -> ResourceDemand.of(candidates, candidate))
                .anyMatch(demand -> residual.nodesFor(demand, ResidualCluster.FREE) != null);
    }

    private List<Integer> all(int j) {
        return IntStream.range(candidates.first(j), candidates.end(j)).boxed().toList();
    }
}
