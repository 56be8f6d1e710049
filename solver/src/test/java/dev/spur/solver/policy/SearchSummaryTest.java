package dev.spur.solver.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.JobFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.round.OptimalityProof;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.RoundSettings;
import dev.spur.model.round.SearchStep;
import dev.spur.model.round.SearchSummary;
import dev.spur.model.round.SolutionQuality;
import dev.spur.model.round.SolveBudget;
import dev.spur.model.round.SolveStatus;
import dev.spur.solver.RandomProblems;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.GreedyFill;
import dev.spur.solver.placement.PartialPlacement;
import dev.spur.solver.placement.PlacementResult;
import dev.spur.solver.solve.SolveResult;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SearchSummaryTest {
    private static final SearchSummary BY_BOUND = new SearchSummary(SearchStep.ROUNDING, 0, 0, OptimalityProof.BOUND);
    private static final SearchSummary BY_SEARCH = new SearchSummary(SearchStep.CORE, 2, 5, OptimalityProof.SEARCH);

    @Test
    void randomRoundsAreDecidedByEachStepOfSmallRounds() {
        Set<SearchStep> steps = EnumSet.noneOf(SearchStep.class);
        Set<OptimalityProof> proofs = EnumSet.noneOf(OptimalityProof.class);
        for (long seed = 0; seed < 200; seed++) {
            SolutionQuality quality =
                    Policies.spur().plan(RandomProblems.problem(seed, 8, 15)).quality();
            SearchSummary search = Objects.requireNonNull(quality.search());
            steps.add(search.foundBy());
            if (search.openJobs() == 0) {
                assertThat(search.foundBy()).isNotEqualTo(SearchStep.CORE);
                assertThat(search.proof()).isNotEqualTo(OptimalityProof.SEARCH);
            }
            assertThat(search.openCandidates()).isGreaterThanOrEqualTo(search.openJobs());
            assertThat(search.proof() == null).isEqualTo(quality.status() != SolveStatus.OPTIMAL);
            if (search.proof() != null) {
                proofs.add(search.proof());
            }
        }

        assertThat(steps).contains(SearchStep.REPAIR, SearchStep.ROUNDING, SearchStep.CORE);
        assertThat(proofs).containsExactlyInAnyOrder(OptimalityProof.values());
    }

    @Test
    void roundWithManyCandidatesIsDecidedByAnnealing() {
        RoundProblem problem = RandomProblems.inOneClass(RandomProblems.problem(13, 60, 200));
        RoundSettings settings = problem.settings().withEffort(0.008, new SolveBudget(0.02, 60, 1, 1));

        SolutionQuality quality =
                Policies.spur().plan(problem.withSettings(settings)).quality();

        assertThat(Objects.requireNonNull(quality.search()).foundBy()).isEqualTo(SearchStep.ANNEALING);
    }

    @Test
    void betterGreedyPlanIsFoundByRepair() {
        CandidateSet candidates = CandidateGenerator.generate(
                ProblemFixture.problem().nodes(1).job(JobFixture.job("waiting")).build());
        PartialPlacement filledPlacement = GreedyFill.fill(candidates);
        SolveResult empty = SolveResult.withoutBound(
                        new PlacementResult(Map.of(), List.of(), List.of(), List.of()), true)
                .foundBy(SearchStep.CORE);

        SolveResult result = empty.orFallback(candidates, List.of(), filledPlacement);

        assertThat(empty.search().foundBy()).isEqualTo(SearchStep.CORE);
        assertThat(result.placement().allocations()).hasSize(1);
        assertThat(result.search().foundBy()).isEqualTo(SearchStep.REPAIR);
    }

    @Test
    void twoStagesNameTheLaterStepAndTheLargerCounts() {
        assertThat(BY_BOUND.and(BY_SEARCH)).isEqualTo(BY_SEARCH);
        assertThat(BY_SEARCH.and(BY_BOUND)).isEqualTo(BY_SEARCH);
        assertThat(BY_SEARCH.and(BY_SEARCH)).isEqualTo(BY_SEARCH);
    }

    @Test
    void oneStageWithoutProofLeavesNone() {
        assertThat(BY_BOUND.and(BY_SEARCH.withoutProof()).proof()).isNull();
        assertThat(BY_BOUND.withoutProof().and(BY_BOUND).proof()).isNull();
    }
}
