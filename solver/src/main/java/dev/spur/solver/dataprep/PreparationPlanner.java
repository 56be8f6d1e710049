package dev.spur.solver.dataprep;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.dataprep.Loan;
import dev.spur.model.dataprep.Preparation;
import dev.spur.model.dataprep.PreparationAllocation;
import dev.spur.model.round.PlannedPreparation;
import dev.spur.model.round.PreparationPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.SolutionQuality;
import dev.spur.model.round.SolveBudget;
import dev.spur.model.round.SolveStatus;
import dev.spur.model.utility.PreparationUtility;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Planner of data preparations, after the plan has decided which training jobs run. It decides which preparation starts
 * on which node with how much memory, and which nodes lend the rest.
 *
 * <p>Running preparations stay. First, loans that lenders may not or cannot continue are revoked, the least active
 * first. Then pending preparations are placed in several orders; few preparations on few nodes by an integer program. A
 * linear program bounds the result in either case.
 */
public final class PreparationPlanner {
    /** Number of options, and of pairs of preparation and node, up to which the integer program is solved. */
    private static final long SMALL = 400;

    private static final long FEW_PAIRS = 60;
    private static final SolveBudget EXACT = new SolveBudget(0.2, 10, 1, 1);
    private static final double PROVED = 1e-5;

    private final RoundProblem problem;
    private final List<Preparation> preparations;
    private final PreparationUtility utility;
    private final HostNodes nodes;

    private PreparationPlanner(RoundProblem problem, Map<String, Allocation> trainingAllocations) {
        this.problem = problem;
        this.preparations = problem.preparations().stream()
                .sorted(Comparator.comparing(Preparation::id))
                .toList();
        this.utility = new PreparationUtility(problem);
        this.nodes = new HostNodes(problem, trainingAllocations);
    }

    /**
     * Plans the preparations alongside {@code trainingAllocations}. A plan always exists: at least the one in which
     * running preparations continue.
     *
     * @param trainingAllocations allocation of the training jobs by job id; it excludes the resources that running
     *     preparations hold
     */
    public static PreparationPlan plan(RoundProblem problem, Map<String, Allocation> trainingAllocations) {
        return new PreparationPlanner(problem, trainingAllocations).plan();
    }

    private PreparationPlan plan() {
        double[] weights =
                preparations.stream().mapToDouble(utility::atFullSpeed).toArray();
        PreparationAssignment baseAssignment = new PreparationAssignment(nodes, preparations, weights);
        Revocation.placeRunning(baseAssignment);
        int seed = problem.settings().budget().seed();
        double bound = PreparationBound.of(baseAssignment, seed);
        PreparationAssignment bestAssignment = PreparationNeighborhoodSearch.of(baseAssignment, bound, seed);
        if (isSmall(baseAssignment) && bestAssignment.worth() < bound - PROVED * Math.abs(bound)) {
            Optional<ExactPreparationSolver.Result> exact = ExactPreparationSolver.of(baseAssignment, EXACT);
            if (exact.isPresent()) {
                bound = Math.min(bound, exact.get().bound());
                bestAssignment = exact.get().assignment().worth() > bestAssignment.worth()
                        ? exact.get().assignment()
                        : bestAssignment;
            }
        }
        return write(bestAssignment, bound, baseAssignment.worth());
    }

    private boolean isSmall(PreparationAssignment baseAssignment) {
        return (long) baseAssignment.count() * nodes.count() <= FEW_PAIRS
                && ExactPreparationSolver.size(baseAssignment) <= SMALL;
    }

    private PreparationPlan write(PreparationAssignment assignment, double bound, double before) {
        List<PlannedPreparation> runningPreparations = new ArrayList<>();
        double sum = 0;
        for (int j = 0; j < assignment.count(); j++) {
            PreparationPlacement placement = assignment.placement(j);
            if (placement != null) {
                PlannedPreparation planned = toPlanned(assignment.preparation(j), placement);
                runningPreparations.add(planned);
                sum += planned.utility();
            }
        }
        return new PreparationPlan(
                runningPreparations,
                PreparationReasonFinder.pendingJobs(assignment),
                quality(sum, Math.max(bound, sum), before));
    }

    private SolutionQuality quality(double sum, double bound, double before) {
        double open = bound - sum;
        boolean proved = open <= PROVED * Math.max(1, Math.abs(bound));
        SolveStatus status = proved
                ? SolveStatus.OPTIMAL
                : open <= problem.settings().gapTarget() * Math.abs(bound)
                        ? SolveStatus.GAP_LIMIT
                        : SolveStatus.WORK_LIMIT;
        return SolutionQuality.of(status, sum, proved ? sum : bound, before);
    }

    private PlannedPreparation toPlanned(Preparation preparation, PreparationPlacement placement) {
        List<Loan> loans = new ArrayList<>();
        placement.loans().forEach((lender, gib) -> loans.add(new Loan(nodes.id(lender), gib)));
        PreparationAllocation heldAllocation = preparation.grant();
        PreparationAllocation allocation = new PreparationAllocation(
                nodes.id(placement.node()),
                heldAllocation == null ? preparation.spec().cpus() : heldAllocation.cpus(),
                placement.localGiB(),
                loans,
                heldAllocation == null ? problem.now() : heldAllocation.since());
        double slowDown = preparation.spec().slowDown(allocation.localGiB(), allocation.borrowedGiB());
        return new PlannedPreparation(
                preparation.id(),
                allocation,
                slowDown,
                utility.of(preparation, allocation),
                message(preparation, allocation, slowDown));
    }

    private static String message(Preparation preparation, PreparationAllocation allocation, double slowDown) {
        int all = preparation.spec().workingSetGiB();
        int swapped = Math.max(0, all - allocation.localGiB() - allocation.borrowedGiB());
        StringBuilder text = new StringBuilder("%s with %d of %d GiB on its node"
                .formatted(preparation.grant() == null ? "Starts" : "Continues", allocation.localGiB(), all));
        if (allocation.borrowedGiB() > 0) {
            int lenders = allocation.loans().size();
            text.append(", %d lent by %d other node%s"
                    .formatted(allocation.borrowedGiB(), lenders, lenders == 1 ? "" : "s"));
        }
        if (swapped > 0) {
            text.append(", and %d GiB on disk, because no node has free memory".formatted(swapped));
        }
        return text.append(String.format(Locale.ROOT, ": takes %.2f times its minimum duration.", slowDown))
                .toString();
    }
}
