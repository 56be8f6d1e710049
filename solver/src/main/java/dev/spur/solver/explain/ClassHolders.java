package dev.spur.solver.explain;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.Job;
import dev.spur.model.job.PreemptionPolicy;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.NodeClassName;
import dev.spur.solver.placement.ResidualCapacity;
import dev.spur.solver.placement.ResourceDemand;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;

/** Running jobs of other priority classes that hold what a pending job needs. */
final class ClassHolders {
    private final CandidateSet candidates;
    private final Map<Integer, Allocation> runningAllocations;
    private final IntPredicate isCommitted;
    private final Map<NodeClassName, TreeSet<Integer>> classesByKind = new HashMap<>();
    /** By priority: capacity with the jobs of higher classes. */
    private final Map<Integer, ResidualCapacity> higherCapacities = new ConcurrentHashMap<>();
    /** Also with the pinned jobs. */
    private final Map<Integer, ResidualCapacity> capacitiesWithPinned = new ConcurrentHashMap<>();
    /** Also with the jobs that serve commitments. */
    private final Map<Integer, ResidualCapacity> capacitiesWithCommitted = new ConcurrentHashMap<>();

    private final Map<Integer, ResidualCapacity> capacitiesWithoutLower = new ConcurrentHashMap<>();

    /** @param isCommitted whether a running job serves its deadline or has waited beyond its limit */
    ClassHolders(CandidateSet candidates, Map<Integer, Allocation> runningAllocations, IntPredicate isCommitted) {
        this.candidates = candidates;
        this.runningAllocations = runningAllocations;
        this.isCommitted = isCommitted;
        runningAllocations.forEach((j, allocation) -> classesByKind
                .computeIfAbsent(NodeClassName.of(allocation.configuration()), kind -> new TreeSet<>())
                .add(priority(j)));
    }

    private int priority(int j) {
        return candidates.job(j).spec().priority();
    }

    /** Returns whether jobs of higher classes leave too little for {@code candidate}, whichever other jobs stop. */
    boolean higherClassesHold(Candidate candidate) {
        int own = priority(candidate.job());
        return !fits(higherCapacities.computeIfAbsent(own, p -> residual(j -> priority(j) > p)), candidate);
    }

    /** Returns whether jobs of higher classes and pinned jobs leave too little for {@code candidate}. */
    boolean pinnedHold(Candidate candidate) {
        int own = priority(candidate.job());
        return !fits(capacitiesWithPinned.computeIfAbsent(own, p -> residual(j -> isHigherOrPinned(j, p))), candidate);
    }

    /** Returns whether they leave too little together with the commitments that precede the objective of the class. */
    boolean committedHold(Candidate candidate) {
        int own = priority(candidate.job());
        return !fits(
                capacitiesWithCommitted.computeIfAbsent(
                        own, p -> residual(j -> isHigherOrPinned(j, p) || precedes(j, p))),
                candidate);
    }

    private boolean isHigherOrPinned(int j, int priority) {
        return priority(j) > priority || candidates.isPinned(j);
    }

    /** Returns whether job {@code j} serves a commitment that precedes the objective of the class. */
    private boolean precedes(int j, int priority) {
        return candidates.job(j).deadlineStatus() == DeadlineStatus.GUARANTEED
                || (priority(j) == priority && isCommitted.test(j));
    }

    /** Returns whether the job would fit if it could stop running jobs of lower classes, which its policy excludes. */
    boolean policyForbidsToStop(Candidate candidate) {
        Job job = candidates.job(candidate.job());
        return job.spec().preemptionPolicy() == PreemptionPolicy.NEVER
                && fits(
                        capacitiesWithoutLower.computeIfAbsent(
                                job.spec().priority(), p -> residual(j -> priority(j) >= p || candidates.isPinned(j))),
                        candidate);
    }

    /** Returns the higher classes on slots of the kind of {@code candidate} in words, such as "5 and 10". */
    String higherClasses(Candidate candidate) {
        return classesByKind.getOrDefault(NodeClassName.of(candidate.configuration()), new TreeSet<>()).stream()
                .filter(priority -> priority > priority(candidate.job()))
                .map(String::valueOf)
                .collect(Collectors.joining(" and "));
    }

    private ResidualCapacity residual(IntPredicate which) {
        ResidualCapacity residual = new ResidualCapacity(candidates);
        runningAllocations.forEach((j, allocation) -> {
            if (which.test(j)) {
                residual.occupy(j, allocation);
            }
        });
        return residual;
    }

    private boolean fits(ResidualCapacity residual, Candidate candidate) {
        return residual.nodesHold(ResourceDemand.of(candidates, candidate));
    }
}
