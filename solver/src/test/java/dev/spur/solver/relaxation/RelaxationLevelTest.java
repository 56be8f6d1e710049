package dev.spur.solver.relaxation;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.SolveBudget;
import dev.spur.model.tenant.Tenant;
import dev.spur.solver.Enumeration;
import dev.spur.solver.GroupedProblems;
import dev.spur.solver.RandomProblems;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.heuristic.LagrangianHeuristic;
import dev.spur.solver.heuristic.LargeNeighborhoodSearch;
import dev.spur.solver.heuristic.PlanState;
import dev.spur.solver.placement.PartialPlacement;
import dev.spur.solver.solve.RemainingBudget;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that cut nodes by patterns, and quotas left to blocks: bounds that hold, and plans that come close to them. */
class RelaxationLevelTest {
    private static final double TIGHT = 1e-6;
    private static final int PASSES = 60;

    @ParameterizedTest(name = "250 problems from seed {0}, shrunk hosts {1}")
    @CsvSource({"5000, false", "6000, true"})
    void noPlanIsWorthMoreThanTheBoundAtAnyPrices(long first, boolean shrunk) {
        for (long seed = first; seed < first + 250; seed++) {
            noPlanIsWorthMoreThanTheBound(seed, candidates(seed, shrunk));
        }
    }

    @ParameterizedTest(name = "250 problems from seed {0}")
    @ValueSource(longs = 10_000)
    void noPlanIsWorthMoreThanTheBoundWhereGroupsShareCaps(long first) {
        for (long seed = first; seed < first + 250; seed++) {
            noPlanIsWorthMoreThanTheBound(seed, CandidateGenerator.generate(GroupedProblems.problem(seed, 3, 4)));
        }
    }

    private static void noPlanIsWorthMoreThanTheBound(long seed, CandidateSet candidates) {
        double best = Enumeration.bestWorth(candidates);
        for (RelaxationLevel level : List.of(RelaxationLevel.PATTERNS, RelaxationLevel.TENANTS)) {
            noPlanIsWorthMoreThanTheBound(seed, best, CouplingConstraintsBuilder.of(candidates, List.of(), level));
        }
    }

    private static void noPlanIsWorthMoreThanTheBound(long seed, double best, CouplingConstraints constraints) {
        Random random = new Random(seed);

        for (int passes : new int[] {1, 1, PASSES}) {
            DualSolution dualSolution = ColumnGeneration.search(
                    constraints,
                    List.of(WarmStartDuals.byRow(constraints, RandomPrices.named(constraints, random))),
                    any -> TIGHT,
                    passes,
                    () -> false);

            assertThat(dualSolution.bound()).as("seed %d", seed).isGreaterThanOrEqualTo(best - 1e-9);
            assertThat(dualSolution.decisionsBound()).as("seed %d", seed).isGreaterThanOrEqualTo(best - 1e-9);
        }
    }

    @Test
    void neighbourhoodsKeepToTheCapsOfGroups() {
        int best = 0;
        for (long seed = 11_000; seed < 11_100; seed++) {
            RoundProblem problem = GroupedProblems.problem(seed, 3, 4);
            CandidateSet candidates = CandidateGenerator.generate(problem);
            CouplingConstraints constraints =
                    CouplingConstraintsBuilder.of(candidates, List.of(), RelaxationLevel.TENANTS);
            DualSolution dualSolution = ColumnGeneration.search(
                    constraints,
                    List.of(WarmStartDuals.byRow(constraints, Map.of())),
                    passes -> TIGHT,
                    PASSES,
                    () -> false);
            PlanState plan = LagrangianHeuristic.readOff(
                    candidates, constraints, dualSolution, dualSolution.roundedChoice(), nothing(constraints));
            RemainingBudget budget = new RemainingBudget(new SolveBudget(100, 100, 1, 1), () -> 0);

            double worth = new LargeNeighborhoodSearch(candidates, constraints, dualSolution, plan, 0, budget)
                    .run(() -> false);

            double max = Enumeration.bestWorth(candidates);
            assertThat(worth).as("seed %d", seed).isLessThanOrEqualTo(max + 1e-9);
            best += worth > max - 1e-6 * Math.abs(max) - 1e-9 ? 1 : 0;
        }

        assertThat(best).isGreaterThan(80);
    }

    @Test
    void theBoundIsTighterThanThatOfQuotasByPrices() {
        int tighter = 0;
        for (long seed = 7000; seed < 7100; seed++) {
            CandidateSet candidates = CandidateGenerator.generate(RandomProblems.shrunk(seed, 8, 15));
            double coarse = bound(CouplingConstraintsBuilder.of(candidates, List.of(), RelaxationLevel.PATTERNS));
            double fine = bound(CouplingConstraintsBuilder.of(candidates, List.of(), RelaxationLevel.TENANTS));

            assertThat(fine).as("seed %d", seed).isLessThanOrEqualTo(coarse * (1 + 1e-4) + 1e-9);
            tighter += fine < coarse * (1 - 1e-3) ? 1 : 0;
        }

        assertThat(tighter).isPositive();
    }

    /** A cap of five slots holds one job of three; by prices alone five thirds of one. */
    @Test
    void capsOfATenantsJobsHoldWholeJobs() {
        CandidateSet candidates = CandidateGenerator.generate(problem()
                .nodes(16)
                .group("g", 5, null)
                .jobs(
                        job("a").slots(3).group("g"),
                        job("b").slots(3).group("g"),
                        job("c").slots(3).group("g"))
                .build());

        assertThat(bound(CouplingConstraintsBuilder.of(candidates, List.of(), RelaxationLevel.TENANTS)))
                .isCloseTo(Enumeration.bestWorth(candidates), offset(1e-6));
        assertThat(bound(CouplingConstraintsBuilder.of(candidates, List.of(), RelaxationLevel.PATTERNS)))
                .isGreaterThan(1.5 * Enumeration.bestWorth(candidates));
    }

    /** Blocks of several tenants would each fill a cap that they share. */
    @Test
    void capsThatTenantsShareStayPriced() {
        for (long seed = 12_000; seed < 12_100; seed++) {
            RoundProblem problem = GroupedProblems.problem(seed, 8, 15);
            CandidateSet candidates = CandidateGenerator.generate(problem.withTenants(problem.tenants().stream()
                    .map(tenant -> new Tenant(tenant.name(), tenant.parent(), tenant.weight(), Map.of()))
                    .toList()));
            double priced = bound(CouplingConstraintsBuilder.of(candidates, List.of(), RelaxationLevel.PATTERNS));
            double together = bound(CouplingConstraintsBuilder.of(candidates, List.of(), RelaxationLevel.TENANTS));

            assertThat(together).as("seed %d", seed).isLessThanOrEqualTo(priced * (1 + 1e-4) + 1e-9);
        }
    }

    @ParameterizedTest(name = "100 problems from seed {0}, shrunk hosts {1}")
    @CsvSource({"8000, false", "9000, true"})
    void neighbourhoodsLeadFromAnEmptyPlanToTheBestOrClose(long first, boolean shrunk) {
        int best = 0;
        for (long seed = first; seed < first + 100; seed++) {
            CandidateSet candidates = candidates(seed, shrunk);
            CouplingConstraints constraints =
                    CouplingConstraintsBuilder.of(candidates, List.of(), RelaxationLevel.TENANTS);
            DualSolution dualSolution = ColumnGeneration.search(
                    constraints,
                    List.of(WarmStartDuals.byRow(constraints, Map.of())),
                    passes -> TIGHT,
                    PASSES,
                    () -> false);
            PlanState plan = LagrangianHeuristic.readOff(
                    candidates, constraints, dualSolution, dualSolution.roundedChoice(), nothing(constraints));
            double before = worth(constraints, plan);
            RemainingBudget budget = new RemainingBudget(new SolveBudget(100, 100, 1, 1), () -> 0);

            double worth = new LargeNeighborhoodSearch(candidates, constraints, dualSolution, plan, 0, budget)
                    .run(() -> false);

            double max = Enumeration.bestWorth(candidates);
            assertThat(worth).as("seed %d", seed).isCloseTo(worth(constraints, plan), offset(1e-9));
            assertThat(worth).as("seed %d", seed).isBetween(before - 1e-9, max + 1e-9);
            assertThat(plan.placement().unplaced()).as("seed %d", seed).isEmpty();
            best += worth > max - 1e-6 * Math.abs(max) - 1e-9 ? 1 : 0;
        }

        assertThat(best).isGreaterThan(80);
    }

    private static double worth(CouplingConstraints constraints, PlanState plan) {
        double worth = 0;
        for (int c : plan.choice()) {
            worth += c < 0 ? 0 : constraints.worth(c);
        }
        return worth;
    }

    private static double bound(CouplingConstraints constraints) {
        return ColumnGeneration.search(
                        constraints,
                        List.of(WarmStartDuals.byRow(constraints, Map.of())),
                        passes -> TIGHT,
                        100,
                        () -> false)
                .bound();
    }

    private static CandidateSet candidates(long seed, boolean shrunk) {
        RoundProblem problem = shrunk ? RandomProblems.shrunk(seed, 3, 4) : RandomProblems.problem(seed, 3, 4);
        return CandidateGenerator.generate(problem);
    }

    private static PlanState nothing(CouplingConstraints constraints) {
        int[] waiting = new int[constraints.jobs()];
        Arrays.fill(waiting, -1);
        return PlanState.of(constraints, PartialPlacement.withoutPlaces(waiting));
    }
}
