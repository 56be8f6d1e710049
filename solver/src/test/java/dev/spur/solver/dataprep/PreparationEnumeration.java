package dev.spur.solver.dataprep;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.cluster.Node;
import dev.spur.model.dataprep.Loan;
import dev.spur.model.dataprep.Preparation;
import dev.spur.model.dataprep.PreparationAllocation;
import dev.spur.model.round.PendingJob;
import dev.spur.model.round.PendingReason;
import dev.spur.model.round.PlannedPreparation;
import dev.spur.model.round.PreparationPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.SolutionQuality;
import dev.spur.model.round.SolveStatus;
import dev.spur.model.utility.PreparationUtility;
import dev.spur.model.validation.PreparationsCheck;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Tries all grants of all preparations of a small problem; the judge says which of them go together. */
final class PreparationEnumeration {
    private final RoundProblem problem;
    private final Map<String, Allocation> trainingAllocations;
    private final PreparationUtility utility;
    private final List<List<PreparationAllocation>> choices = new ArrayList<>();
    private final PreparationAllocation[] allocations;
    private double best = Double.NEGATIVE_INFINITY;

    private PreparationEnumeration(RoundProblem problem, Map<String, Allocation> trainingAllocations) {
        this.problem = problem;
        this.trainingAllocations = trainingAllocations;
        this.utility = new PreparationUtility(problem);
        this.allocations = new PreparationAllocation[problem.preparations().size()];
        problem.preparations().forEach(preparation -> choices.add(choices(preparation)));
    }

    /** The most that a plan is worth in which loans shrink only as local memory grows. */
    static double best(RoundProblem problem, Map<String, Allocation> trainingAllocations) {
        PreparationEnumeration all = new PreparationEnumeration(problem, trainingAllocations);
        all.tryFrom(0, 0);
        return all.best;
    }

    private void tryFrom(int j, double sum) {
        if (j == allocations.length) {
            if (sum > best && isSound(sum)) {
                best = sum;
            }
            return;
        }
        Preparation preparation = problem.preparations().get(j);
        for (PreparationAllocation allocation : choices.get(j)) {
            allocations[j] = allocation;
            tryFrom(j + 1, sum + utility.of(preparation, allocation));
        }
        if (preparation.grant() == null) {
            allocations[j] = null;
            tryFrom(j + 1, sum);
        }
    }

    private boolean isSound(double sum) {
        List<PlannedPreparation> runningPreparations = new ArrayList<>();
        List<PendingJob> pendingJobs = new ArrayList<>();
        for (int j = 0; j < allocations.length; j++) {
            Preparation preparation = problem.preparations().get(j);
            if (allocations[j] == null) {
                pendingJobs.add(new PendingJob(
                        preparation.id(), PendingReason.INSUFFICIENT_LOCAL_MEMORY, null, null, null, 1, ""));
            } else {
                double slowDown = preparation.spec().slowDown(allocations[j].localGiB(), allocations[j].borrowedGiB());
                runningPreparations.add(new PlannedPreparation(
                        preparation.id(), allocations[j], slowDown, utility.of(preparation, allocations[j]), ""));
            }
        }
        SolutionQuality quality = SolutionQuality.of(SolveStatus.OPTIMAL, sum, sum, 0);
        return PreparationsCheck.violations(
                        problem, trainingAllocations, new PreparationPlan(runningPreparations, pendingJobs, quality))
                .isEmpty();
    }

    /** What could be given to the preparation alone, the best first. */
    private List<PreparationAllocation> choices(Preparation preparation) {
        PreparationAllocation heldAllocation = preparation.grant();
        int all = preparation.spec().workingSetGiB();
        List<PreparationAllocation> found = new ArrayList<>();
        for (Node node : problem.nodes()) {
            boolean isItsOwn = heldAllocation == null || heldAllocation.node().equals(node.id());
            int min = heldAllocation == null ? preparation.spec().minLocalGiB() : heldAllocation.localGiB();
            for (int local = min; isItsOwn && local <= all; local++) {
                for (List<Loan> loans : loans(node.id(), all - local, 0)) {
                    PreparationAllocation allocation = heldAllocation == null
                            ? new PreparationAllocation(
                                    node.id(), preparation.spec().cpus(), local, loans, problem.now())
                            : new PreparationAllocation(
                                    node.id(), heldAllocation.cpus(), local, loans, heldAllocation.since());
                    if (heldAllocation == null || keepsWhatItHas(heldAllocation, allocation, all)) {
                        found.add(allocation);
                    }
                }
            }
        }
        found.sort(Comparator.comparingDouble((PreparationAllocation allocation) -> utility.of(preparation, allocation))
                .reversed());
        return found;
    }

    private static boolean keepsWhatItHas(
            PreparationAllocation heldAllocation, PreparationAllocation allocation, int all) {
        int shrunk = heldAllocation.loans().stream()
                .mapToInt(loan -> Math.max(0, loan.gib() - allocation.borrowedFrom(loan.lender())))
                .sum();
        return shrunk <= Math.max(0, allocation.localGiB() + heldAllocation.borrowedGiB() - all);
    }

    private List<List<Loan>> loans(String host, int max, int from) {
        List<List<Loan>> found = new ArrayList<>(List.of(List.of()));
        for (int u = from; u < problem.nodes().size(); u++) {
            String lender = problem.nodes().get(u).id();
            for (int gib = 1; gib <= max && !lender.equals(host); gib++) {
                for (List<Loan> rest : loans(host, max - gib, u + 1)) {
                    List<Loan> loans = new ArrayList<>(rest);
                    loans.add(new Loan(lender, gib));
                    found.add(loans);
                }
            }
        }
        return found;
    }
}
