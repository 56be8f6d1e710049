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
    private final Map<String, Allocation> training;
    private final PreparationUtility worth;
    private final List<List<PreparationAllocation>> choices = new ArrayList<>();
    private final PreparationAllocation[] given;
    private double best = Double.NEGATIVE_INFINITY;

    private PreparationEnumeration(RoundProblem problem, Map<String, Allocation> training) {
        this.problem = problem;
        this.training = training;
        this.worth = new PreparationUtility(problem);
        this.given = new PreparationAllocation[problem.preparations().size()];
        problem.preparations().forEach(preparation -> choices.add(choices(preparation)));
    }

    /** The most that a plan is worth in which loans shrink only as local memory grows. */
    static double best(RoundProblem problem, Map<String, Allocation> training) {
        PreparationEnumeration all = new PreparationEnumeration(problem, training);
        all.tryFrom(0, 0);
        return all.best;
    }

    private void tryFrom(int j, double sum) {
        if (j == given.length) {
            if (sum > best && isSound(sum)) {
                best = sum;
            }
            return;
        }
        Preparation preparation = problem.preparations().get(j);
        for (PreparationAllocation grant : choices.get(j)) {
            given[j] = grant;
            tryFrom(j + 1, sum + worth.of(preparation, grant));
        }
        if (preparation.grant() == null) {
            given[j] = null;
            tryFrom(j + 1, sum);
        }
    }

    private boolean isSound(double sum) {
        List<PlannedPreparation> running = new ArrayList<>();
        List<PendingJob> waiting = new ArrayList<>();
        for (int j = 0; j < given.length; j++) {
            Preparation preparation = problem.preparations().get(j);
            if (given[j] == null) {
                waiting.add(new PendingJob(
                        preparation.id(), PendingReason.INSUFFICIENT_LOCAL_MEMORY, null, null, null, 1, ""));
            } else {
                double slowDown = preparation.spec().slowDown(given[j].localGiB(), given[j].borrowedGiB());
                running.add(new PlannedPreparation(
                        preparation.id(), given[j], slowDown, worth.of(preparation, given[j]), ""));
            }
        }
        SolutionQuality quality = SolutionQuality.of(SolveStatus.OPTIMAL, sum, sum, 0);
        return PreparationsCheck.violations(problem, training, new PreparationPlan(running, waiting, quality))
                .isEmpty();
    }

    /** What could be given to the preparation alone, the best first. */
    private List<PreparationAllocation> choices(Preparation preparation) {
        PreparationAllocation held = preparation.grant();
        int all = preparation.spec().workingSetGiB();
        List<PreparationAllocation> found = new ArrayList<>();
        for (Node node : problem.nodes()) {
            boolean isItsOwn = held == null || held.node().equals(node.id());
            int min = held == null ? preparation.spec().minLocalGiB() : held.localGiB();
            for (int local = min; isItsOwn && local <= all; local++) {
                for (List<Loan> loans : loans(node.id(), all - local, 0)) {
                    PreparationAllocation grant = held == null
                            ? new PreparationAllocation(
                                    node.id(), preparation.spec().cpus(), local, loans, problem.now())
                            : new PreparationAllocation(node.id(), held.cpus(), local, loans, held.since());
                    if (held == null || keepsWhatItHas(held, grant, all)) {
                        found.add(grant);
                    }
                }
            }
        }
        found.sort(Comparator.comparingDouble((PreparationAllocation grant) -> worth.of(preparation, grant))
                .reversed());
        return found;
    }

    private static boolean keepsWhatItHas(PreparationAllocation held, PreparationAllocation grant, int all) {
        int shrunk = held.loans().stream()
                .mapToInt(loan -> Math.max(0, loan.gib() - grant.borrowedFrom(loan.lender())))
                .sum();
        return shrunk <= Math.max(0, grant.localGiB() + held.borrowedGiB() - all);
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
