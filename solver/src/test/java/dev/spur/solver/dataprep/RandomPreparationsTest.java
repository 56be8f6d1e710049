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
            Map<String, Allocation> trainingAllocations = RandomPreparations.training(problem);
            assertThat(ProblemCheck.violations(problem)).as("seed %d", seed).isEmpty();

            PreparationPlan plan = PreparationPlanner.plan(problem, trainingAllocations);

            assertThat(PreparationsCheck.violations(problem, trainingAllocations, plan))
                    .as("seed %d", seed)
                    .isEmpty();
        }
    }

    @Test
    void theBoundOfTheLinearProgramHolds() {
        for (long seed = 1; seed <= 200; seed++) {
            RoundProblem problem = RandomPreparations.problem(seed, 12, 12, 64);
            PreparationAssignment baseAssignment = seatedWhatRuns(problem);

            double bound = PreparationBound.of(baseAssignment, 1);

            assertThat(PreparationNeighborhoodSearch.of(baseAssignment, bound, 1)
                            .worth())
                    .as("seed %d", seed)
                    .isLessThanOrEqualTo(bound);
        }
    }

    private static PreparationAssignment seatedWhatRuns(RoundProblem problem) {
        HostNodes nodes = new HostNodes(problem, RandomPreparations.training(problem));
        double[] weights = problem.preparations().stream()
                .mapToDouble(new PreparationUtility(problem)::atFullSpeed)
                .toArray();
        PreparationAssignment baseAssignment = new PreparationAssignment(nodes, problem.preparations(), weights);
        Revocation.placeRunning(baseAssignment);
        return baseAssignment;
    }

    @Test
    void loansShrinkOnlyForLendersInNeedOrForLocalMemory() {
        int compared = 0;
        for (long seed = 1; seed <= 300; seed++) {
            RoundProblem problem = RandomPreparations.problem(seed, 8, 8, 64);
            Map<String, Allocation> trainingAllocations = RandomPreparations.training(problem);
            if (nobodyNeedsAnythingBack(problem, trainingAllocations)) {
                compared++;
                PreparationPlan plan = PreparationPlanner.plan(problem, trainingAllocations);

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
            Map<String, Allocation> trainingAllocations = RandomPreparations.training(problem);
            if (nobodyNeedsAnythingBack(problem, trainingAllocations)) {
                compared++;
                SolutionQuality quality =
                        PreparationPlanner.plan(problem, trainingAllocations).quality();
                double best = PreparationEnumeration.best(problem, trainingAllocations);

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
    private static boolean nobodyNeedsAnythingBack(RoundProblem problem, Map<String, Allocation> trainingAllocations) {
        HostNodes nodes = new HostNodes(problem, trainingAllocations);
        PreparationResidual residual = new PreparationResidual(nodes);
        for (Preparation preparation : problem.preparations()) {
            PreparationAllocation heldAllocation = preparation.grant();
            if (heldAllocation != null) {
                PreparationPlacement seat = new PreparationPlacement(
                        nodes.number(heldAllocation.node()), heldAllocation.localGiB(), new TreeMap<>());
                heldAllocation.loans().forEach(loan -> seat.loans().put(nodes.number(loan.lender()), loan.gib()));
                residual.take(heldAllocation.cpus(), seat);
                if (seat.loans().keySet().stream().anyMatch(v -> !nodes.mayGoOnLending(preparation, v))) {
                    return false;
                }
            }
        }
        return IntStream.range(0, nodes.count()).allMatch(v -> residual.overlent(v) == 0);
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
        PreparationAllocation heldAllocation = preparation.grant();
        return heldAllocation == null
                ? 0
                : Math.max(
                        0,
                        planned.grant().localGiB()
                                + heldAllocation.borrowedGiB()
                                - preparation.spec().workingSetGiB());
    }
}
