package dev.spur.solver.explain;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.round.PendingJob;
import dev.spur.model.round.PendingReason;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.tenant.FairShare;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.NoCandidateReason;
import dev.spur.solver.candidate.ParallelLoop;
import dev.spur.solver.constraint.RestartLimit;
import dev.spur.solver.group.GroupCaps;
import dev.spur.solver.placement.ResidualCapacity;
import dev.spur.solver.placement.ResidualCluster;
import dev.spur.solver.placement.ResourceDemand;
import dev.spur.solver.placement.StarvationReservation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Finder of the reason of every pending job. It checks the constraints for the job against the resources that the plan
 * leaves. It is cheap, deterministic, and independent of the solver.
 */
public final class PendingReasonFinder {
    private final CandidateSet candidates;
    private final ResidualCapacity left;
    private final ResidualCapacity leftByTouchable;
    private final Competitors holders;
    private final ClassHolders classes;
    private final QuotaStanding quotas;
    private final boolean restartLimitIsReached;
    private final UnavailableNodes closed;
    private final FairShare fairShare;
    private final Map<Integer, PendingReason> withoutCandidates = new HashMap<>();

    private final @Nullable StarvationReservation turn;
    private int freeForTurn;

    private PendingReasonFinder(
            CandidateSet candidates,
            Map<Integer, Allocation> running,
            IntPredicate isCommitted,
            @Nullable StarvationReservation turn) {
        this.turn = turn;
        this.candidates = candidates;
        this.left = new ResidualCapacity(candidates);
        this.leftByTouchable = new ResidualCapacity(candidates);
        this.holders = new Competitors(candidates, running);
        this.classes = new ClassHolders(candidates, running, isCommitted);
        RestartLimit restarts = RestartLimit.of(candidates);
        this.restartLimitIsReached = restarts.restarts(running::get) >= restarts.limit();
        running.forEach((j, given) -> {
            left.occupy(j, given);
            if (!candidates.isPinned(j)) {
                leftByTouchable.occupy(j, given);
            }
        });
        if (turn != null) {
            turn.nodes()
                    .forEach(node -> freeForTurn +=
                            left.cluster().block(candidates.hardware().indexOf(node)));
        }
        quotas = new QuotaStanding(candidates, running, left.quotas());
        closed = new UnavailableNodes(candidates, left.cluster());
        fairShare = candidates.problem().fairShare();
    }

    /**
     * Returns an entry for each job without an allocation in {@code running} (by index of the job), by queue position.
     *
     * @param isCommitted whether a running job serves its deadline or has waited beyond its limit
     * @param turn placement reserved for a starving job; null if there is none
     */
    public static List<PendingJob> pendingJobs(
            CandidateSet candidates,
            Map<Integer, Allocation> running,
            IntPredicate isCommitted,
            @Nullable StarvationReservation turn) {
        PendingReasonFinder why = new PendingReasonFinder(candidates, running, isCommitted, turn);
        double[] best = ParallelLoop.range(candidates.jobs())
                .mapToDouble(why::bestPerSlot)
                .toArray();
        int[] order = IntStream.range(0, candidates.jobs())
                .filter(j -> !running.containsKey(j))
                .boxed()
                .sorted(Comparator.comparingInt(
                                (Integer j) -> -candidates.job(j).spec().priority())
                        .thenComparingDouble(j -> -best[j])
                        .thenComparingDouble(j -> candidates.job(j).arrival())
                        .thenComparing(j -> candidates.job(j).id()))
                .mapToInt(Integer::intValue)
                .toArray();
        why.findWhyNothingIsOffered(order);
        return ParallelLoop.range(order.length)
                .mapToObj(at -> why.pending(order[at], at + 1))
                .toList();
    }

    private PendingJob pending(int j, int position) {
        List<Candidate> own = candidates.of(j).fresh();
        if (own.isEmpty()) {
            PendingReason token = Objects.requireNonNull(withoutCandidates.get(j));
            return new PendingJob(
                    candidates.job(j).id(),
                    token,
                    null,
                    null,
                    null,
                    position,
                    PendingReasonMessages.unfit(token, candidates.job(j), candidates.problem(), closed));
        }
        BindingConstraint binding = turn != null && turn.job() == j
                ? BindingConstraint.ofOrder(turn.configuration(), freeForTurn)
                : binding(j, own);
        return new PendingJob(
                candidates.job(j).id(),
                binding.token(),
                binding.resource() == null ? null : binding.resource().toString(),
                binding.needed(),
                binding.free(),
                position,
                PendingReasonMessages.bindingMessage(
                                binding,
                                candidates.job(j),
                                closed,
                                fairShare.of(candidates.job(j).tenant()),
                                classes.higherClasses(smallest(own)))
                        + quotaMessage(binding.token(), own));
    }

    private String quotaMessage(PendingReason token, List<Candidate> own) {
        return switch (token) {
            case QUOTA_EXCEEDED -> quotas.limit(smallest(own));
            case HOLDERS_PROTECTED, LOWER_PRIORITY, OUTRANKED, CAPACITY -> quotas.borrowers(smallest(own));
            default -> "";
        };
    }

    private BindingConstraint binding(int j, List<Candidate> own) {
        List<Candidate> withinQuota = own.stream()
                .filter(candidate -> left.quotaAllows(demand(candidate)))
                .toList();
        if (withinQuota.isEmpty()) {
            return BindingConstraint.quota(candidates.job(j).tenant(), smallest(own));
        }
        List<Candidate> open = withinQuota.stream()
                .filter(candidate -> left.groupAllows(demand(candidate)))
                .toList();
        GroupCaps.Cap cap = candidates.groups().of(candidates.job(j));
        if (open.isEmpty() && cap != null) {
            return BindingConstraint.group(cap, smallest(withinQuota), left.groups());
        }
        List<Candidate> served = open.stream()
                .filter(candidate -> left.aggregationAllows(demand(candidate)))
                .toList();
        if (served.isEmpty()) {
            Candidate smallest = open.stream()
                    .min(Comparator.comparingDouble(
                            candidate -> candidate.configuration().aggregationSlots()))
                    .orElseThrow();
            return BindingConstraint.aggregation(
                    smallest, left.aggregation(smallest.configuration().pool()));
        }
        return served.stream().anyMatch(candidate -> fit(left, demand(candidate)))
                ? BindingConstraint.plain(PendingReason.RESTART_COST)
                : slotsBinding(j, served);
    }

    private static Candidate smallest(List<Candidate> some) {
        return some.stream().min(Comparator.comparingInt(Candidate::slots)).orElseThrow();
    }

    private BindingConstraint slotsBinding(int j, List<Candidate> open) {
        Candidate nearest = open.stream()
                .max(Comparator.comparingInt(candidate -> left.cluster().slots(candidate) - candidate.slots()))
                .orElseThrow();
        int free = left.cluster().slots(nearest);
        if (free >= nearest.slots()) {
            boolean hostIsShort = fitsWithoutHost(nearest);
            return BindingConstraint.slots(
                    hostIsShort ? PendingReason.INSUFFICIENT_HOST_RESOURCES : PendingReason.FRAGMENTATION,
                    nearest,
                    free);
        }
        return BindingConstraint.slots(whyOthersHoldThem(j, nearest, free), nearest, free);
    }

    /** Returns whether nodes have enough free slots, regardless of CPU and memory. */
    private boolean fitsWithoutHost(Candidate candidate) {
        return fit(left, demand(candidate).withoutHost());
    }

    private PendingReason whyOthersHoldThem(int j, Candidate nearest, int free) {
        if (wouldFitOnPinnedCapacity(nearest)) {
            return PendingReason.RESERVED;
        }
        if (classes.higherClassesHold(nearest)) {
            return PendingReason.LOWER_PRIORITY;
        }
        if (closed.wouldHold(nearest, left.cluster().slots(nearest))) {
            return PendingReason.NODES_UNAVAILABLE;
        }
        if (classes.pinnedHold(nearest)) {
            return PendingReason.HOLDERS_PROTECTED;
        }
        if (classes.committedHold(nearest)) {
            return PendingReason.COMMITMENTS;
        }
        if (restartLimitIsReached) {
            return PendingReason.RESTART_LIMIT;
        }
        if (hasMoreUtilityThanPinned(nearest)) {
            return PendingReason.HOLDERS_PROTECTED;
        }
        if (classes.policyForbidsToStop(nearest)) {
            return PendingReason.PREEMPTION_POLICY;
        }
        if (holders.shrinkingWouldPay(nearest) || holders.stopsCostMore(nearest, free)) {
            return PendingReason.RESTART_COST;
        }
        if (fairShare.of(candidates.job(j).tenant()).factor() < 1) {
            return PendingReason.FAIR_SHARE;
        }
        return holders.outrank(nearest, free) ? PendingReason.OUTRANKED : PendingReason.CAPACITY;
    }

    private boolean wouldFitOnPinnedCapacity(Candidate nearest) {
        return turn != null
                && freeForTurn > 0
                && turn.configuration().pool().equals(nearest.configuration().pool())
                && turn.configuration()
                        .acceleratorType()
                        .equals(nearest.configuration().acceleratorType())
                && freeForTurn + left.cluster().slots(nearest) >= nearest.slots();
    }

    /** Returns whether the job would fit without the protected jobs, and one of these has less utility per slot. */
    private boolean hasMoreUtilityThanPinned(Candidate nearest) {
        return holders.somePinnedHasLessUtility(nearest) && fit(leftByTouchable, demand(nearest));
    }

    /**
     * Evaluates the cluster with every node schedulable, and then without reservations, for all jobs without a
     * candidate. If a candidate exists there, unavailable or reserved nodes are the reason.
     */
    private void findWhyNothingIsOffered(int[] waiting) {
        List<Integer> open = new ArrayList<>();
        for (int j : waiting) {
            if (candidates.of(j).fresh().isEmpty()) {
                withoutCandidates.put(j, whateverIsOpen(candidates.of(j).unfit()));
                if (candidates.of(j).unfit() != NoCandidateReason.NO_GAIN) {
                    open.add(j);
                }
            }
        }
        RoundProblem opened = UnavailableNodes.open(candidates.problem());
        open = withoutThoseOffered(opened, open, PendingReason.NODES_UNAVAILABLE);
        withoutThoseOffered(opened.withoutReservations(), open, PendingReason.RESERVED);
    }

    /** Returns the {@code jobs} without a candidate in {@code elsewhere} either; the others get {@code reason}. */
    private List<Integer> withoutThoseOffered(RoundProblem elsewhere, List<Integer> jobs, PendingReason reason) {
        if (jobs.isEmpty()) {
            return jobs;
        }
        CandidateSet offered = CandidateGenerator.generate(elsewhere.withJobs(
                jobs.stream().map(j -> candidates.job(j).withAllocation(null)).toList()));
        List<Integer> others = new ArrayList<>();
        for (int i = 0; i < jobs.size(); i++) {
            if (offered.of(i).fresh().isEmpty()) {
                others.add(jobs.get(i));
            } else {
                withoutCandidates.put(jobs.get(i), reason);
            }
        }
        return others;
    }

    private static PendingReason whateverIsOpen(NoCandidateReason unfit) {
        return switch (unfit) {
            case NO_MATCHING_NODES -> PendingReason.NO_MATCHING_NODES;
            case BATCH_EXCEEDS_GPU_MEMORY -> PendingReason.BATCH_EXCEEDS_GPU_MEMORY;
            case BATCH_NOT_DIVISIBLE -> PendingReason.BATCH_NOT_DIVISIBLE;
            case NO_THROUGHPUT -> PendingReason.NO_THROUGHPUT;
            case UNSATISFIABLE -> PendingReason.UNSATISFIABLE;
            case NO_GAIN, NONE -> PendingReason.RESTART_COST;
        };
    }

    private double bestPerSlot(int j) {
        return candidates.of(j).fresh().stream()
                .mapToDouble(PendingReasonFinder::perSlot)
                .max()
                .orElse(Double.NEGATIVE_INFINITY);
    }

    private ResourceDemand demand(Candidate candidate) {
        return ResourceDemand.of(candidates, candidate);
    }

    /** Returns whether the nodes of {@code residual} hold {@code demand}. */
    private static boolean fit(ResidualCapacity residual, ResourceDemand demand) {
        return residual.cluster().nodesFor(demand, ResidualCluster.FREE) != null;
    }

    private static double perSlot(Candidate candidate) {
        return candidate.utility() / candidate.slots();
    }
}
