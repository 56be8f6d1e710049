package dev.spur.solver.explain;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.Job;
import dev.spur.model.job.PreemptionPolicy;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.NodeClassName;
import dev.spur.solver.placement.ResidualCapacity;
import dev.spur.solver.placement.ResidualCluster;
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
    private final Map<Integer, Allocation> running;
    private final IntPredicate isCommitted;
    private final Map<NodeClassName, TreeSet<Integer>> classesByKind = new HashMap<>();
    /** By priority: capacity with the jobs of higher classes. */
    private final Map<Integer, ResidualCapacity> higher = new ConcurrentHashMap<>();
    /** Also with the pinned jobs. */
    private final Map<Integer, ResidualCapacity> withPinned = new ConcurrentHashMap<>();
    /** Also with the jobs that serve commitments. */
    private final Map<Integer, ResidualCapacity> withCommitted = new ConcurrentHashMap<>();

    private final Map<Integer, ResidualCapacity> withoutLower = new ConcurrentHashMap<>();

    /** @param isCommitted whether a running job serves its deadline or has waited beyond its limit */
    ClassHolders(CandidateSet candidates, Map<Integer, Allocation> running, IntPredicate isCommitted) {
        this.candidates = candidates;
        this.running = running;
        this.isCommitted = isCommitted;
        running.forEach((j, given) -> classesByKind
                .computeIfAbsent(NodeClassName.of(given.configuration()), kind -> new TreeSet<>())
                .add(priority(j)));
    }

    private int priority(int j) {
        return candidates.job(j).spec().priority();
    }

    /** Returns whether jobs of higher classes leave too little for {@code wanting}, whichever other jobs stop. */
    boolean higherClassesHold(Candidate wanting) {
        int own = priority(wanting.job());
        return !fits(higher.computeIfAbsent(own, p -> residual(j -> priority(j) > p)), wanting);
    }

    /** Returns whether jobs of higher classes and pinned jobs leave too little for {@code wanting}. */
    boolean pinnedHold(Candidate wanting) {
        int own = priority(wanting.job());
        return !fits(withPinned.computeIfAbsent(own, p -> residual(j -> isHigherOrPinned(j, p))), wanting);
    }

    /** Returns whether they leave too little together with the commitments that precede the objective of the class. */
    boolean committedHold(Candidate wanting) {
        int own = priority(wanting.job());
        return !fits(
                withCommitted.computeIfAbsent(own, p -> residual(j -> isHigherOrPinned(j, p) || precedes(j, p))),
                wanting);
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
    boolean policyForbidsToStop(Candidate wanting) {
        Job job = candidates.job(wanting.job());
        return job.spec().preemptionPolicy() == PreemptionPolicy.NEVER
                && fits(
                        withoutLower.computeIfAbsent(
                                job.spec().priority(), p -> residual(j -> priority(j) >= p || candidates.isPinned(j))),
                        wanting);
    }

    /** Returns the higher classes on slots of the kind of {@code wanting} in words, such as "5 and 10". */
    String higherClasses(Candidate wanting) {
        return classesByKind.getOrDefault(NodeClassName.of(wanting.configuration()), new TreeSet<>()).stream()
                .filter(priority -> priority > priority(wanting.job()))
                .map(String::valueOf)
                .collect(Collectors.joining(" and "));
    }

    private ResidualCapacity residual(IntPredicate which) {
        ResidualCapacity residual = new ResidualCapacity(candidates);
        running.forEach((j, given) -> {
            if (which.test(j)) {
                residual.occupy(j, given);
            }
        });
        return residual;
    }

    private boolean fits(ResidualCapacity residual, Candidate wanting) {
        return residual.cluster().nodesFor(ResourceDemand.of(candidates, wanting), ResidualCluster.FREE) != null;
    }
}
