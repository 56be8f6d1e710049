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
    private final PreparationUtility worth;
    private final HostNodes nodes;

    private PreparationPlanner(RoundProblem problem, Map<String, Allocation> training) {
        this.problem = problem;
        this.preparations = problem.preparations().stream()
                .sorted(Comparator.comparing(Preparation::id))
                .toList();
        this.worth = new PreparationUtility(problem);
        this.nodes = new HostNodes(problem, training);
    }

    /**
     * Plans the preparations alongside {@code training}. A plan always exists: at least the one in which running
     * preparations continue.
     *
     * @param training allocation of the training jobs by job id; it excludes the resources that running preparations
     *     hold
     */
    public static PreparationPlan plan(RoundProblem problem, Map<String, Allocation> training) {
        return new PreparationPlanner(problem, training).plan();
    }

    private PreparationPlan plan() {
        double[] weights = preparations.stream().mapToDouble(worth::atFullSpeed).toArray();
        PreparationAssignment base = new PreparationAssignment(nodes, preparations, weights);
        Revocation.placeRunning(base);
        int seed = problem.settings().budget().seed();
        double bound = PreparationBound.of(base, seed);
        PreparationAssignment best = PreparationNeighborhoodSearch.of(base, bound, seed);
        if (isSmall(base) && best.worth() < bound - PROVED * Math.abs(bound)) {
            Optional<ExactPreparationSolver.Result> exact = ExactPreparationSolver.of(base, EXACT);
            if (exact.isPresent()) {
                bound = Math.min(bound, exact.get().bound());
                best = exact.get().assignment().worth() > best.worth()
                        ? exact.get().assignment()
                        : best;
            }
        }
        return write(best, bound, base.worth());
    }

    private boolean isSmall(PreparationAssignment base) {
        return (long) base.count() * nodes.count() <= FEW_PAIRS && ExactPreparationSolver.size(base) <= SMALL;
    }

    private PreparationPlan write(PreparationAssignment assignment, double bound, double before) {
        List<PlannedPreparation> running = new ArrayList<>();
        double sum = 0;
        for (int j = 0; j < assignment.count(); j++) {
            PreparationPlacement placement = assignment.placement(j);
            if (placement != null) {
                PlannedPreparation planned = toPlanned(assignment.preparation(j), placement);
                running.add(planned);
                sum += planned.utility();
            }
        }
        return new PreparationPlan(
                running, PreparationReasonFinder.pendingJobs(assignment), quality(sum, Math.max(bound, sum), before));
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
        PreparationAllocation held = preparation.grant();
        PreparationAllocation grant = new PreparationAllocation(
                nodes.id(placement.node()),
                held == null ? preparation.spec().cpus() : held.cpus(),
                placement.localGiB(),
                loans,
                held == null ? problem.now() : held.since());
        double slowDown = preparation.spec().slowDown(grant.localGiB(), grant.borrowedGiB());
        return new PlannedPreparation(
                preparation.id(), grant, slowDown, worth.of(preparation, grant), message(preparation, grant, slowDown));
    }

    private static String message(Preparation preparation, PreparationAllocation grant, double slowDown) {
        int all = preparation.spec().workingSetGiB();
        int swapped = Math.max(0, all - grant.localGiB() - grant.borrowedGiB());
        StringBuilder text = new StringBuilder("%s with %d of %d GiB on its node"
                .formatted(preparation.grant() == null ? "Starts" : "Continues", grant.localGiB(), all));
        if (grant.borrowedGiB() > 0) {
            int lenders = grant.loans().size();
            text.append(
                    ", %d lent by %d other node%s".formatted(grant.borrowedGiB(), lenders, lenders == 1 ? "" : "s"));
        }
        if (swapped > 0) {
            text.append(", and %d GiB on disk, because no node has free memory".formatted(swapped));
        }
        return text.append(String.format(Locale.ROOT, ": takes %.2f times its minimum duration.", slowDown))
                .toString();
    }
}
