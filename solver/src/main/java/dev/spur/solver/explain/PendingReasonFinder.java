package dev.spur.solver.explain;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.Job;
import dev.spur.model.job.TopologyRequest;
import dev.spur.model.round.PendingJob;
import dev.spur.model.round.PendingReason;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.tenant.FairShare;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.NoCandidateReason;
import dev.spur.solver.candidate.ParallelLoop;
import dev.spur.solver.group.GroupCaps;
import dev.spur.solver.placement.ResidualCapacity;
import dev.spur.solver.placement.ResourceDemand;
import dev.spur.solver.placement.StarvationReservation;
import dev.spur.solver.resource.RestartLimit;
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
    private final ResidualCapacity residualCapacity;
    private final ResidualCapacity capacityLeftByTouchable;
    private final Competitors competitors;
    private final ClassHolders classes;
    private final QuotaStanding quotas;
    private final boolean restartLimitIsReached;
    private final UnavailableNodes unavailableNodes;
    private final FairShare fairShare;
    private final Map<Integer, PendingReason> reasonsWithoutCandidates = new HashMap<>();

    private final @Nullable StarvationReservation starvationReservation;
    private int freeForTurn;

    private PendingReasonFinder(
            CandidateSet candidates,
            Map<Integer, Allocation> runningAllocations,
            IntPredicate isCommitted,
            @Nullable StarvationReservation starvationReservation) {
        this.starvationReservation = starvationReservation;
        this.candidates = candidates;
        this.residualCapacity = new ResidualCapacity(candidates);
        this.capacityLeftByTouchable = new ResidualCapacity(candidates);
        this.competitors = new Competitors(candidates, runningAllocations);
        this.classes = new ClassHolders(candidates, runningAllocations, isCommitted);
        RestartLimit restarts = RestartLimit.of(candidates);
        this.restartLimitIsReached = restarts.restarts(runningAllocations::get) >= restarts.limit();
        runningAllocations.forEach((j, allocation) -> {
            residualCapacity.occupy(j, allocation);
            if (!candidates.isPinned(j)) {
                capacityLeftByTouchable.occupy(j, allocation);
            }
        });
        if (starvationReservation != null) {
            starvationReservation
                    .nodes()
                    .forEach(node -> freeForTurn += residualCapacity
                            .cluster()
                            .block(candidates.clusterIndex().indexOf(node)));
        }
        quotas = new QuotaStanding(candidates, runningAllocations, residualCapacity.quotas());
        unavailableNodes = new UnavailableNodes(candidates, residualCapacity.cluster());
        fairShare = candidates.problem().fairShare();
    }

    /**
     * Returns an entry for each job without an allocation in {@code runningAllocations} (by index of the job), by queue
     * position.
     *
     * @param isCommitted whether a running job serves its deadline or has waited beyond its limit
     * @param starvationReservation placement reserved for a starving job; null if there is none
     */
    public static List<PendingJob> pendingJobs(
            CandidateSet candidates,
            Map<Integer, Allocation> runningAllocations,
            IntPredicate isCommitted,
            @Nullable StarvationReservation starvationReservation) {
        PendingReasonFinder why =
                new PendingReasonFinder(candidates, runningAllocations, isCommitted, starvationReservation);
        double[] best = ParallelLoop.range(candidates.jobs())
                .mapToDouble(why::bestPerSlot)
                .toArray();
        int[] order = IntStream.range(0, candidates.jobs())
                .filter(j -> !runningAllocations.containsKey(j))
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
        List<Candidate> ownCandidates = candidates.of(j).freshCandidates();
        if (ownCandidates.isEmpty()) {
            PendingReason reason = Objects.requireNonNull(reasonsWithoutCandidates.get(j));
            return new PendingJob(
                    candidates.job(j).id(),
                    reason,
                    null,
                    null,
                    null,
                    position,
                    PendingReasonMessages.unfit(reason, candidates.job(j), candidates.problem(), unavailableNodes));
        }
        BindingConstraint binding = starvationReservation != null && starvationReservation.job() == j
                ? BindingConstraint.ofOrder(starvationReservation.configuration(), freeForTurn)
                : binding(j, ownCandidates);
        return new PendingJob(
                candidates.job(j).id(),
                binding.reason(),
                binding.reportedResource() == null
                        ? null
                        : binding.reportedResource().toString(),
                binding.needed(),
                binding.free(),
                position,
                PendingReasonMessages.bindingMessage(
                                binding,
                                candidates.job(j),
                                unavailableNodes,
                                fairShare.of(candidates.job(j).tenant()),
                                classes.higherClasses(smallest(ownCandidates)))
                        + quotaMessage(binding.reason(), ownCandidates));
    }

    private String quotaMessage(PendingReason reason, List<Candidate> ownCandidates) {
        return switch (reason) {
            case QUOTA_EXCEEDED -> quotas.limit(smallest(ownCandidates));
            case HOLDERS_PROTECTED, LOWER_PRIORITY, OUTRANKED, CAPACITY -> quotas.borrowers(smallest(ownCandidates));
            default -> "";
        };
    }

    private BindingConstraint binding(int j, List<Candidate> ownCandidates) {
        if (ownCandidates.stream().allMatch(candidate -> candidate.utility() < 0)) {
            return BindingConstraint.plain(PendingReason.UNPROFITABLE);
        }
        List<Candidate> withinQuota = ownCandidates.stream()
                .filter(candidate -> residualCapacity.quotaAllows(demand(candidate)) || onlySlotsAreShort(candidate))
                .toList();
        if (withinQuota.isEmpty()) {
            return BindingConstraint.quota(candidates.job(j).tenant(), smallest(ownCandidates));
        }
        List<Candidate> openCandidates = withinQuota.stream()
                .filter(candidate -> residualCapacity.groupAllows(demand(candidate)))
                .toList();
        GroupCaps.Cap cap = candidates.groups().of(candidates.job(j));
        if (openCandidates.isEmpty() && cap != null) {
            return BindingConstraint.group(
                    cap,
                    smallest(withinQuota),
                    residualCapacity.groups(),
                    candidates.quotas().units());
        }
        List<Candidate> served = openCandidates.stream()
                .filter(candidate -> residualCapacity.aggregationAllows(demand(candidate)))
                .toList();
        if (served.isEmpty()) {
            Candidate smallestCandidate = openCandidates.stream()
                    .min(Comparator.comparingDouble(
                            candidate -> candidate.configuration().aggregationSlots()))
                    .orElseThrow();
            return BindingConstraint.aggregation(
                    smallestCandidate,
                    residualCapacity.aggregation(
                            smallestCandidate.configuration().pool()));
        }
        return served.stream().anyMatch(candidate -> fit(residualCapacity, demand(candidate)))
                ? BindingConstraint.plain(PendingReason.RESTART_COST)
                : slotsBinding(j, served);
    }

    /**
     * Returns whether a quota forbids {@code candidate} only because its tenants share fewer slots than they may hold.
     */
    private boolean onlySlotsAreShort(Candidate candidate) {
        return quotas.statementsAllow(candidate) && residualCapacity.cluster().slots(candidate) < candidate.slots();
    }

    private static Candidate smallest(List<Candidate> some) {
        return some.stream().min(Comparator.comparingInt(Candidate::slots)).orElseThrow();
    }

    private BindingConstraint slotsBinding(int j, List<Candidate> openCandidates) {
        List<Candidate> divided = openCandidates.stream()
                .filter(candidate -> fitsAcrossDomains(candidate, candidates.job(j)))
                .toList();
        return divided.isEmpty()
                ? heldSlots(j, nearest(openCandidates))
                : BindingConstraint.slots(
                        PendingReason.TOPOLOGY,
                        nearest(divided),
                        residualCapacity.cluster().slots(nearest(divided)));
    }

    /** Returns whether only the domain that {@code job} requires keeps the candidate off free slots. */
    private boolean fitsAcrossDomains(Candidate candidate, Job job) {
        TopologyRequest topology = job.spec().elasticity().topology();
        return topology != null
                && topology.requiresDomain()
                && candidate.configuration().nodes() > 1
                && fit(residualCapacity, demand(candidates.clusterIndex().acrossDomains(candidate, job)));
    }

    private Candidate nearest(List<Candidate> some) {
        return some.stream()
                .max(Comparator.comparingInt(
                        candidate -> residualCapacity.cluster().slots(candidate) - candidate.slots()))
                .orElseThrow();
    }

    private BindingConstraint heldSlots(int j, Candidate nearestCandidate) {
        int free = residualCapacity.cluster().slots(nearestCandidate);
        if (free >= nearestCandidate.slots()) {
            boolean hostIsShort = fitsWithoutHost(nearestCandidate);
            return BindingConstraint.slots(
                    hostIsShort ? PendingReason.INSUFFICIENT_HOST_RESOURCES : PendingReason.FRAGMENTATION,
                    nearestCandidate,
                    free);
        }
        return BindingConstraint.slots(whyOthersHoldThem(j, nearestCandidate, free), nearestCandidate, free);
    }

    /** Returns whether nodes have enough free slots, regardless of CPU and memory. */
    private boolean fitsWithoutHost(Candidate candidate) {
        return fit(residualCapacity, demand(candidate).withoutHost());
    }

    private PendingReason whyOthersHoldThem(int j, Candidate nearestCandidate, int free) {
        if (wouldFitOnPinnedCapacity(nearestCandidate)) {
            return PendingReason.RESERVED;
        }
        if (classes.higherClassesHold(nearestCandidate)) {
            return PendingReason.LOWER_PRIORITY;
        }
        if (unavailableNodes.excludedWouldHold(nearestCandidate, free)) {
            return PendingReason.NODES_EXCLUDED;
        }
        if (unavailableNodes.wouldHold(
                nearestCandidate, residualCapacity.cluster().slots(nearestCandidate))) {
            return PendingReason.NODES_UNAVAILABLE;
        }
        if (unavailableNodes.reservedWouldHold(
                nearestCandidate, residualCapacity.cluster().slots(nearestCandidate))) {
            return PendingReason.RESERVED;
        }
        if (classes.pinnedHold(nearestCandidate)) {
            return PendingReason.HOLDERS_PROTECTED;
        }
        if (classes.committedHold(nearestCandidate)) {
            return PendingReason.COMMITMENTS;
        }
        if (restartLimitIsReached) {
            return PendingReason.RESTART_LIMIT;
        }
        if (hasMoreUtilityThanPinned(nearestCandidate)) {
            return PendingReason.HOLDERS_PROTECTED;
        }
        if (classes.policyForbidsToStop(nearestCandidate)) {
            return PendingReason.PREEMPTION_POLICY;
        }
        if (competitors.shrinkingWouldPay(nearestCandidate) || competitors.stopsCostMore(nearestCandidate, free)) {
            return PendingReason.RESTART_COST;
        }
        if (fairShare.of(candidates.job(j).tenant()).factor() < 1) {
            return PendingReason.FAIR_SHARE;
        }
        return competitors.outrank(nearestCandidate, free) ? PendingReason.OUTRANKED : PendingReason.CAPACITY;
    }

    private boolean wouldFitOnPinnedCapacity(Candidate nearestCandidate) {
        return starvationReservation != null
                && freeForTurn > 0
                && starvationReservation
                        .configuration()
                        .pool()
                        .equals(nearestCandidate.configuration().pool())
                && starvationReservation
                        .configuration()
                        .acceleratorType()
                        .equals(nearestCandidate.configuration().acceleratorType())
                && freeForTurn + residualCapacity.cluster().slots(nearestCandidate) >= nearestCandidate.slots();
    }

    /** Returns whether the job would fit without the protected jobs, and one of these has less utility per slot. */
    private boolean hasMoreUtilityThanPinned(Candidate nearestCandidate) {
        return competitors.somePinnedHasLessUtility(nearestCandidate)
                && fit(capacityLeftByTouchable, demand(nearestCandidate));
    }

    /**
     * Evaluates the cluster with every node schedulable, and then without reservations, for all jobs without a
     * candidate. If a candidate exists there, unavailable or reserved nodes are the reason.
     */
    private void findWhyNothingIsOffered(int[] waiting) {
        List<Integer> open = new ArrayList<>();
        for (int j : waiting) {
            if (candidates.of(j).freshCandidates().isEmpty()) {
                reasonsWithoutCandidates.put(j, whateverIsOpen(candidates.of(j).reason()));
                if (candidates.of(j).reason() != NoCandidateReason.NO_GAIN) {
                    open.add(j);
                }
            }
        }
        RoundProblem opened = UnavailableNodes.open(candidates.problem());
        open = withoutThoseOffered(opened, open, PendingReason.NODES_UNAVAILABLE);
        withoutThoseOffered(opened.withoutReservations(), open, PendingReason.RESERVED);
    }

    /**
     * Returns the {@code jobs} without a candidate in {@code problemElsewhere} either; the others get {@code reason}.
     */
    private List<Integer> withoutThoseOffered(RoundProblem problemElsewhere, List<Integer> jobs, PendingReason reason) {
        if (jobs.isEmpty()) {
            return jobs;
        }
        CandidateSet offeredCandidates = CandidateGenerator.generate(problemElsewhere.withJobs(
                jobs.stream().map(j -> candidates.job(j).withAllocation(null)).toList()));
        List<Integer> others = new ArrayList<>();
        for (int i = 0; i < jobs.size(); i++) {
            if (offeredCandidates.of(i).freshCandidates().isEmpty()) {
                others.add(jobs.get(i));
            } else {
                reasonsWithoutCandidates.put(jobs.get(i), reason);
            }
        }
        return others;
    }

    private static PendingReason whateverIsOpen(NoCandidateReason reason) {
        return switch (reason) {
            case NO_MATCHING_NODES -> PendingReason.NO_MATCHING_NODES;
            case BATCH_EXCEEDS_GPU_MEMORY -> PendingReason.BATCH_EXCEEDS_GPU_MEMORY;
            case BATCH_NOT_DIVISIBLE -> PendingReason.BATCH_NOT_DIVISIBLE;
            case NO_THROUGHPUT -> PendingReason.NO_THROUGHPUT;
            case UNSATISFIABLE -> PendingReason.UNSATISFIABLE;
            case NO_GAIN, NONE -> PendingReason.RESTART_COST;
        };
    }

    private double bestPerSlot(int j) {
        return candidates.of(j).freshCandidates().stream()
                .mapToDouble(PendingReasonFinder::perSlot)
                .max()
                .orElse(Double.NEGATIVE_INFINITY);
    }

    private ResourceDemand demand(Candidate candidate) {
        return ResourceDemand.of(candidates, candidate);
    }

    /** Returns whether the nodes of {@code residual} hold {@code demand}. */
    private static boolean fit(ResidualCapacity residual, ResourceDemand demand) {
        return residual.nodesHold(demand);
    }

    private static double perSlot(Candidate candidate) {
        return candidate.utility() / candidate.devices();
    }
}
