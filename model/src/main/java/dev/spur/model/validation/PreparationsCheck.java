package dev.spur.model.validation;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.cluster.Node;
import dev.spur.model.dataprep.Preparation;
import dev.spur.model.dataprep.PreparationAllocation;
import dev.spur.model.dataprep.PreparationSpec;
import dev.spur.model.round.PendingJob;
import dev.spur.model.round.PlannedPreparation;
import dev.spur.model.round.PreparationPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.utility.PreparationUtility;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Validates the plan of preparations and memory loans before it is published. The rules use only the problem and the
 * allocations of the training jobs.
 */
public final class PreparationsCheck {
    private static final double TOLERANCE = 1e-6;

    private final ProblemIndex index;
    private final PreparationPlan plan;
    private final Map<String, Allocation> trainingAllocations;
    private final Map<String, Preparation> preparations = new TreeMap<>();
    private final List<Violation> violations = new ArrayList<>();

    private PreparationsCheck(ProblemIndex index, Map<String, Allocation> trainingAllocations, PreparationPlan plan) {
        this.index = index;
        this.trainingAllocations = trainingAllocations;
        this.plan = plan;
        index.problem.preparations().forEach(preparation -> preparations.put(preparation.id(), preparation));
    }

    /**
     * Returns all violations of {@code plan}; empty if it may be published.
     *
     * @param trainingAllocations allocations of the training jobs that run at the same time, by job id
     */
    public static List<Violation> violations(
            RoundProblem problem, Map<String, Allocation> trainingAllocations, PreparationPlan plan) {
        return violations(new ProblemIndex(problem), trainingAllocations, plan);
    }

    static List<Violation> violations(
            ProblemIndex index, Map<String, Allocation> trainingAllocations, PreparationPlan plan) {
        PreparationsCheck check = new PreparationsCheck(index, trainingAllocations, plan);
        if (check.everyPreparationIsDecidedOnce()) {
            check.checkDecisions();
        }
        return List.copyOf(check.violations);
    }

    private void checkDecisions() {
        plan.waiting().forEach(waits -> runningPreparationsKeepTheirAllocation(preparation(waits.jobId())));
        for (PlannedPreparation planned : plan.running()) {
            Preparation preparation = preparation(planned.jobId());
            if (preparation.grant() == null
                    || planned.grant().localGiB() > preparation.grant().localGiB()) {
                preparationsUseAllowedNodes(preparation, planned.grant());
            }
            if (preparation.grant() == null) {
                preparationsGetTheRequestedCpus(preparation, planned.grant());
                workingSetIsComplete(preparation, planned.grant());
            } else {
                requireSamePlace(preparation, preparation.grant(), planned.grant());
            }
            allocationFitsTheWorkingSet(preparation, planned.grant());
        }
        new LendingCheck(index, trainingAllocations, preparations, plan.running(), violations).run();
        utilityIsAsStated();
    }

    private boolean everyPreparationIsDecidedOnce() {
        Map<String, Integer> times = new HashMap<>();
        plan.running().forEach(planned -> times.merge(planned.jobId(), 1, Integer::sum));
        plan.waiting().stream().map(PendingJob::jobId).forEach(id -> times.merge(id, 1, Integer::sum));
        for (String id : preparations.keySet()) {
            int count = times.getOrDefault(id, 0);
            if (count != 1) {
                add(
                        "everyPreparationIsDecidedOnce",
                        id,
                        "preparation %s has %d decisions instead of one".formatted(id, count));
            }
        }
        times.keySet().stream()
                .filter(id -> !preparations.containsKey(id))
                .forEach(id ->
                        add("everyPreparationIsDecidedOnce", id, "preparation %s is not in the problem".formatted(id)));
        return violations.isEmpty();
    }

    private void runningPreparationsKeepTheirAllocation(Preparation waitingPreparation) {
        if (waitingPreparation.grant() != null) {
            add(
                    "runningPreparationsKeepTheirAllocation",
                    waitingPreparation.id(),
                    "preparation %s is running, but the plan stops it".formatted(waitingPreparation.id()));
        }
    }

    private void requireSamePlace(
            Preparation preparation, PreparationAllocation heldAllocation, PreparationAllocation allocation) {
        boolean same = heldAllocation.node().equals(allocation.node())
                && heldAllocation.cpus() == allocation.cpus()
                && heldAllocation.since() == allocation.since()
                && allocation.localGiB() >= heldAllocation.localGiB();
        if (!same) {
            add(
                    "runningPreparationsKeepTheirAllocation",
                    preparation.id(),
                    "preparation %s holds %s CPUs and %s GiB of node %s, but the plan grants %s CPUs and %s GiB of node %s"
                            .formatted(
                                    preparation.id(),
                                    heldAllocation.cpus(),
                                    heldAllocation.localGiB(),
                                    heldAllocation.node(),
                                    allocation.cpus(),
                                    allocation.localGiB(),
                                    allocation.node()));
        }
    }

    private void preparationsUseAllowedNodes(Preparation preparation, PreparationAllocation allocation) {
        Node node = index.node(allocation.node());
        if (node == null
                || !index.acceptsWork(node)
                || !preparation.spec().mayUse(node.pool())
                || !index.admits(preparation.tenant(), node.id())) {
            add(
                    "preparationsUseAllowedNodes",
                    preparation.id(),
                    "preparation %s may neither start nor grow on node %s"
                            .formatted(preparation.id(), allocation.node()));
        }
    }

    private void preparationsGetTheRequestedCpus(Preparation preparation, PreparationAllocation allocation) {
        if (allocation.cpus() != preparation.spec().cpus()) {
            add(
                    "preparationsGetTheRequestedCpus",
                    preparation.id(),
                    "preparation %s gets %s CPUs, but requests %s"
                            .formatted(
                                    preparation.id(),
                                    allocation.cpus(),
                                    preparation.spec().cpus()));
        }
    }

    private void workingSetIsComplete(Preparation preparation, PreparationAllocation allocation) {
        PreparationSpec spec = preparation.spec();
        if (allocation.localGiB() < spec.minLocalFraction() * spec.workingSetGiB() - TOLERANCE
                || allocation.localGiB() + allocation.borrowedGiB() < spec.workingSetGiB()) {
            add(
                    "workingSetIsComplete",
                    preparation.id(),
                    "preparation %s starts with %s GiB and %s GiB borrowed, less than its working set of %s GiB requires"
                            .formatted(
                                    preparation.id(),
                                    allocation.localGiB(),
                                    allocation.borrowedGiB(),
                                    spec.workingSetGiB()));
        }
    }

    private void allocationFitsTheWorkingSet(Preparation preparation, PreparationAllocation allocation) {
        int workingSetGiB = preparation.spec().workingSetGiB();
        boolean grew = preparation.grant() == null
                || allocation.localGiB() > preparation.grant().localGiB();
        if (allocation.borrowedGiB() > 0
                ? allocation.localGiB() + allocation.borrowedGiB() > workingSetGiB
                : grew && allocation.localGiB() > workingSetGiB) {
            add(
                    "allocationFitsTheWorkingSet",
                    preparation.id(),
                    "preparation %s holds %s GiB and %s GiB borrowed, more than its working set of %s GiB"
                            .formatted(
                                    preparation.id(), allocation.localGiB(), allocation.borrowedGiB(), workingSetGiB));
        }
    }

    private void utilityIsAsStated() {
        PreparationUtility utility = new PreparationUtility(index.problem);
        double sum = 0;
        for (PlannedPreparation planned : plan.running()) {
            Preparation preparation = preparation(planned.jobId());
            PreparationAllocation allocation = planned.grant();
            double own = utility.of(preparation, allocation);
            double slowDown = preparation.spec().slowDown(allocation.localGiB(), allocation.borrowedGiB());
            sum += own;
            if (differ(own, planned.utility()) || differ(slowDown, planned.slowDown())) {
                add(
                        "utilityIsAsStated",
                        planned.jobId(),
                        "preparation %s: the computed utility and slowdown are %s and %s, the stated ones are %s and %s"
                                .formatted(planned.jobId(), own, slowDown, planned.utility(), planned.slowDown()));
            }
        }
        if (differ(sum, plan.quality().objectiveValue())
                || !(plan.quality().bestBound() >= sum - TOLERANCE * Math.max(1, Math.abs(sum)))) {
            add(
                    "utilityIsAsStated",
                    "preparations",
                    "preparations: the computed objective value is %s, the stated objective value is %s with best bound %s"
                            .formatted(
                                    sum,
                                    plan.quality().objectiveValue(),
                                    plan.quality().bestBound()));
        }
    }

    private static boolean differ(double a, double b) {
        return !(Math.abs(a - b) <= TOLERANCE * Math.max(1, Math.abs(a)));
    }

    private Preparation preparation(String id) {
        Preparation preparation = preparations.get(id);
        if (preparation == null) {
            throw new IllegalStateException("preparation %s is not in the problem".formatted(id));
        }
        return preparation;
    }

    private void add(String rule, String subject, String message) {
        violations.add(new Violation(rule, subject, message));
    }
}
