package dev.spur.solver.dataprep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.dataprep.Preparation;
import dev.spur.model.dataprep.PreparationAllocation;
import dev.spur.model.round.PlannedPreparation;
import dev.spur.model.round.PreparationPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.SolutionQuality;
import dev.spur.model.round.SolveStatus;
import dev.spur.model.utility.PreparationUtility;
import dev.spur.model.validation.PreparationsCheck;
import dev.spur.model.validation.ProblemCheck;
import dev.spur.solver.RandomPreparations;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Seeded clusters: what the planner decides is held against the judge, and on small ones against all that there is. */
class RandomPreparationsTest {
    @Test
    void theJudgeFindsNothingWrongInAThousandClusters() {
        for (long seed = 1; seed <= 1000; seed++) {
            RoundProblem problem = RandomPreparations.problem(seed, 12, 12, 64);
            Map<String, Allocation> training = RandomPreparations.training(problem);
            assertThat(ProblemCheck.violations(problem)).as("seed %d", seed).isEmpty();

            PreparationPlan plan = PreparationPlanner.plan(problem, training);

            assertThat(PreparationsCheck.violations(problem, training, plan))
                    .as("seed %d", seed)
                    .isEmpty();
        }
    }

    @Test
    void theBoundOfTheLinearProgramHolds() {
        for (long seed = 1; seed <= 200; seed++) {
            RoundProblem problem = RandomPreparations.problem(seed, 12, 12, 64);
            PreparationAssignment base = seatedWhatRuns(problem);

            double bound = PreparationBound.of(base, 1);

            assertThat(PreparationNeighborhoodSearch.of(base, bound, 1).worth())
                    .as("seed %d", seed)
                    .isLessThanOrEqualTo(bound);
        }
    }

    private static PreparationAssignment seatedWhatRuns(RoundProblem problem) {
        HostNodes nodes = new HostNodes(problem, RandomPreparations.training(problem));
        double[] weights = problem.preparations().stream()
                .mapToDouble(new PreparationUtility(problem)::atFullSpeed)
                .toArray();
        PreparationAssignment base = new PreparationAssignment(nodes, problem.preparations(), weights);
        Revocation.placeRunning(base);
        return base;
    }

    @Test
    void loansShrinkOnlyForLendersInNeedOrForLocalMemory() {
        int compared = 0;
        for (long seed = 1; seed <= 300; seed++) {
            RoundProblem problem = RandomPreparations.problem(seed, 8, 8, 64);
            Map<String, Allocation> training = RandomPreparations.training(problem);
            if (nobodyNeedsAnythingBack(problem, training)) {
                compared++;
                PreparationPlan plan = PreparationPlanner.plan(problem, training);

                Map<String, Preparation> known =
                        problem.preparations().stream().collect(Collectors.toMap(Preparation::id, Function.identity()));
                for (PlannedPreparation planned : plan.running()) {
                    assertThat(shrunk(known.get(planned.jobId()), planned))
                            .as("seed %d, %s", seed, planned.jobId())
                            .isLessThanOrEqualTo(replaced(known.get(planned.jobId()), planned));
                }
            }
        }
        assertThat(compared).isGreaterThan(50);
    }

    @Test
    void theSameProblemHasTheSamePlan() {
        RoundProblem problem = RandomPreparations.problem(7, 30, 30, 64);

        assertThat(PreparationPlanner.plan(problem, RandomPreparations.training(problem)))
                .isEqualTo(PreparationPlanner.plan(problem, RandomPreparations.training(problem)));
    }

    @Test
    void noPlanIsWorthMoreOnSmallClusters() {
        int compared = 0;
        for (long seed = 1; seed <= 250; seed++) {
            RoundProblem problem = RandomPreparations.problem(seed, 3, 3, 5);
            Map<String, Allocation> training = RandomPreparations.training(problem);
            if (nobodyNeedsAnythingBack(problem, training)) {
                compared++;
                SolutionQuality quality =
                        PreparationPlanner.plan(problem, training).quality();
                double best = PreparationEnumeration.best(problem, training);

                assertThat(quality.objectiveValue()).as("seed %d", seed).isCloseTo(best, within(1e-5));
                assertThat(PreparationBound.of(seatedWhatRuns(problem), 1))
                        .as("seed %d", seed)
                        .isGreaterThanOrEqualTo(best);
                assertThat(quality.status()).as("seed %d", seed).isEqualTo(SolveStatus.OPTIMAL);
            }
        }
        assertThat(compared).isGreaterThan(100);
    }

    /** True if all loans could stay as they are. */
    private static boolean nobodyNeedsAnythingBack(RoundProblem problem, Map<String, Allocation> training) {
        HostNodes nodes = new HostNodes(problem, training);
        PreparationResidual supply = new PreparationResidual(nodes);
        for (Preparation preparation : problem.preparations()) {
            PreparationAllocation held = preparation.grant();
            if (held != null) {
                PreparationPlacement seat =
                        new PreparationPlacement(nodes.number(held.node()), held.localGiB(), new TreeMap<>());
                held.loans().forEach(loan -> seat.loans().put(nodes.number(loan.lender()), loan.gib()));
                supply.take(held.cpus(), seat);
                if (seat.loans().keySet().stream().anyMatch(v -> !nodes.mayGoOnLending(preparation, v))) {
                    return false;
                }
            }
        }
        return IntStream.range(0, nodes.count()).allMatch(v -> supply.overlent(v) == 0);
    }

    private static int shrunk(Preparation preparation, PlannedPreparation planned) {
        return preparation.grant() == null
                ? 0
                : preparation.grant().loans().stream()
                        .mapToInt(
                                loan -> Math.max(0, loan.gib() - planned.grant().borrowedFrom(loan.lender())))
                        .sum();
    }

    private static int replaced(Preparation preparation, PlannedPreparation planned) {
        PreparationAllocation held = preparation.grant();
        return held == null
                ? 0
                : Math.max(
                        0,
                        planned.grant().localGiB()
                                + held.borrowedGiB()
                                - preparation.spec().workingSetGiB());
    }
}
