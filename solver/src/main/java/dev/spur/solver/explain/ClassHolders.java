package dev.spur.solver.explain;

import dev.spur.model.allocation.Allocation;
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
    private final Map<NodeClassName, TreeSet<Integer>> classesByKind = new HashMap<>();
    /** By priority: capacity with the jobs of higher classes; also with the pinned jobs of lower ones. */
    private final Map<Integer, ResidualCapacity> higher = new ConcurrentHashMap<>();

    private final Map<Integer, ResidualCapacity> residuals = new ConcurrentHashMap<>();
    private final Map<Integer, ResidualCapacity> withoutLower = new ConcurrentHashMap<>();

    ClassHolders(CandidateSet candidates, Map<Integer, Allocation> running) {
        this.candidates = candidates;
        this.running = running;
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

    /** Returns whether it fits next to the jobs of higher classes, but not next to the pinned jobs of lower ones. */
    boolean pinnedLowerClassesHold(Candidate wanting) {
        int own = priority(wanting.job());
        return !fits(
                residuals.computeIfAbsent(
                        own, p -> residual(j -> priority(j) > p || (priority(j) < p && candidates.isPinned(j)))),
                wanting);
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
