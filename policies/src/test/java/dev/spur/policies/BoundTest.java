package dev.spur.policies;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.SolutionQuality;
import dev.spur.model.round.SolveBudget;
import dev.spur.model.round.SolveStatus;
import dev.spur.model.validation.PlanCheck;
import dev.spur.policies.monolithic.MonolithicSolver;
import dev.spur.policies.pop.Pop;
import dev.spur.solver.Enumeration;
import dev.spur.solver.GroupedProblems;
import dev.spur.solver.RandomProblems;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.policy.Policies;
import dev.spur.solver.policy.Policy;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The stated bound, gap and status of every policy on tiny rounds, against the optimum by enumeration. */
class BoundTest {
    private static final int SEEDS = 60;

    /** Gap targets and budgets that end a solve early. */
    private static final List<Limits> LIMITS = List.of(
            new Limits(0, SolveBudget.DEFAULT),
            new Limits(0.05, SolveBudget.DEFAULT),
            new Limits(0.3, SolveBudget.DEFAULT),
            new Limits(0, new SolveBudget(1e-4, 20, 1, 1)),
            new Limits(0.05, new SolveBudget(2e-3, 20, 1, 1)),
            new Limits(0.3, new SolveBudget(2e-3, 20, 2, 1)),
            new Limits(0, new SolveBudget(10, 0.04, 1, 1)));

    private static List<Round> rounds = List.of();

    private record Limits(double gapTarget, SolveBudget budget) {}

    /**
     * @param seed seed of the round
     * @param problem the round
     * @param best objective value of the best plan
     */
    private record Round(long seed, RoundProblem problem, double best) {}

    @BeforeAll
    static void enumerate() {
        rounds = LongStream.range(0, SEEDS)
                .mapToObj(BoundTest::round)
                .filter(round -> !Double.isNaN(round.best()))
                .toList();
        assertThat(rounds).hasSizeGreaterThan(SEEDS / 2);
    }

    private static Round round(long seed) {
        RoundProblem problem = RandomProblems.withoutObligations(RandomProblems.inOneClass(
                switch ((int) (seed % 6)) {
                    case 1 -> RandomProblems.shrunk(seed, 3, 4);
                    case 2 -> RandomProblems.contended(seed, 4, 5);
                    case 3 -> GroupedProblems.problem(seed, 4, 5);
                    case 4 -> RandomProblems.uneven(seed, 3, 4);
                    case 5 -> RandomProblems.profitable(seed, 4, 5);
                    default -> RandomProblems.problem(seed, 4, 6);
                }));
        CandidateSet candidates = CandidateGenerator.generate(problem);
        return new Round(
                seed,
                problem,
                Enumeration.isQuick(candidates) ? Enumeration.bestPlacedWorth(candidates, List.of()) : Double.NaN);
    }

    static Stream<Policy> policies() {
        return Stream.concat(
                PolicyRegistry.all().stream().map(PolicyEntry::policy),
                Stream.of(MonolithicSolver.scip(), new Pop(Policies.spur(), 2)));
    }

    @ParameterizedTest
    @MethodSource("policies")
    void noPlanIsAboveTheBound(Policy policy) {
        for (Round round : rounds) {
            for (Limits limits : LIMITS) {
                RoundProblem problem = round.problem()
                        .withSettings(round.problem().settings().withEffort(limits.gapTarget(), limits.budget()));

                RoundPlan plan = policy.plan(problem);

                String label = "seed %d, %s".formatted(round.seed(), limits);
                assertThat(PlanCheck.violations(problem, plan)).as(label).isEmpty();
                assertHolds(plan.quality(), round.best(), limits.gapTarget(), label);
            }
        }
    }

    private static void assertHolds(SolutionQuality quality, double best, double gapTarget, String label) {
        double rounding = 1e-7 * Math.max(1, Math.abs(best));
        double distance = best - quality.objectiveValue();
        assertThat(quality.bestBound()).as("bound, %s", label).isGreaterThanOrEqualTo(best - rounding);
        assertThat(distance).as("best value less value, %s", label).isGreaterThanOrEqualTo(-rounding);
        double scale = quality.bestBound() == 0 ? quality.objectiveValue() : quality.bestBound();
        assertThat(quality.gap() * Math.abs(scale)).as("gap, %s", label).isGreaterThanOrEqualTo(distance - rounding);
        if (quality.status() == SolveStatus.OPTIMAL) {
            assertThat(distance).as("best value less value, proved, %s", label).isLessThanOrEqualTo(10 * rounding);
        }
        if (quality.status() == SolveStatus.GAP_LIMIT) {
            assertThat(quality.gap()).as("gap at the target, %s", label).isLessThanOrEqualTo(gapTarget + 1e-6);
        }
    }
}
