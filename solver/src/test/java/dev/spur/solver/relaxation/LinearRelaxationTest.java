package dev.spur.solver.relaxation;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.NodeFixture.node;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.ProblemFixture;
import dev.spur.model.round.RoundMemory;
import dev.spur.model.tenant.Quota;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.resource.RestartLimit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Bounds and prices of the linear relaxation on random rounds, against enumeration and column generation. */
class LinearRelaxationTest {
    private static final int SEEDS = 200;
    private static final double CLOSE = 1e-3;
    /** Estimates of the objective value, as multiples of the optimum. */
    private static final double[] ESTIMATES = {1, 0, 0.1, 3, -1, 1, 10};

    private static final Map<String, List<Solved>> SOLVED = new HashMap<>();

    /** A round, its constraints after presolve, its optimum, and the solution of its relaxation. */
    private record Solved(
            SmallRounds.Round round, CouplingConstraints constraints, double optimum, RelaxationSolution relaxation) {
        DualSolution evaluated() {
            return LagrangianEvaluation.of(
                    constraints, relaxation.prices(), relaxation.dual().roundedChoice());
        }

        double tolerance() {
            return CLOSE * Math.max(1e-6, Math.abs(relaxation.bound()));
        }
    }

    @ParameterizedTest
    @EnumSource
    void noPlanHasAnObjectiveValueAboveTheBound(SmallRounds kind) {
        for (RelaxationLevel level : List.of(RelaxationLevel.PATTERNS, RelaxationLevel.TENANTS)) {
            List<Solved> all = solved(kind, level);
            assertThat(all).hasSizeGreaterThan(SEEDS / 2);
            for (Solved each : all) {
                assertThat(each.relaxation().bound())
                        .as("bound of %s", each.round())
                        .isGreaterThanOrEqualTo(each.optimum() - 1e-9);
                assertThat(each.evaluated().bound())
                        .as("bound of the subproblems of %s", each.round())
                        .isGreaterThanOrEqualTo(each.optimum() - 1e-9);
            }
        }
    }

    /** The bound is lower only where presolve withdraws packing patterns or borrowed slots. */
    @ParameterizedTest
    @EnumSource
    void boundIsThatOfColumnGeneration(SmallRounds kind) {
        List<Solved> all = solved(kind, RelaxationLevel.PATTERNS);
        int lower = 0;
        for (Solved each : all) {
            double expected = columnGeneration(each.round().constraints(RelaxationLevel.PATTERNS));

            assertThat(each.relaxation().bound())
                    .as("bound of %s", each.round())
                    .isLessThanOrEqualTo(expected + each.tolerance());
            lower += each.relaxation().bound() < columnGeneration(each.constraints()) - each.tolerance() ? 1 : 0;
        }
        assertThat(lower).isLessThan(all.size() / 20);
    }

    @ParameterizedTest
    @EnumSource
    void localQuotasAreRowsOfTheSameProgram(SmallRounds kind) {
        List<Solved> rows = solved(kind, RelaxationLevel.PATTERNS);
        List<Solved> local = solved(kind, RelaxationLevel.TENANTS);
        for (int i = 0; i < rows.size(); i++) {
            assertThat(local.get(i).relaxation().bound())
                    .as("bound of %s", local.get(i).round())
                    .isCloseTo(
                            rows.get(i).relaxation().bound(),
                            within(2 * rows.get(i).tolerance()));
        }
    }

    /** The case in which the restart limit does not apply: the bound must not assume that it does. */
    @Test
    void somePlansRestartMoreJobsThanTheLimitBecauseTheyCannotAllStay() {
        long more = solved(SmallRounds.SHRUNK_RESTARTS, RelaxationLevel.PATTERNS).stream()
                .map(each -> each.round().candidates())
                .filter(candidates -> !RestartLimit.of(candidates).applies()
                        && RestartLimit.of(candidates).retainableJobs()
                                > Objects.requireNonNull(
                                        candidates.problem().settings().maxRestarts()))
                .count();

        assertThat(more).isGreaterThan(3);
    }

    @ParameterizedTest
    @EnumSource
    void presolveLeavesAnOptimalPlan(SmallRounds kind) {
        for (Solved each : solved(kind, RelaxationLevel.PATTERNS)) {
            assertThat(each.round().optimum(each.constraints()::isOffered))
                    .as("optimum of %s", each.round())
                    .isCloseTo(each.optimum(), within(1e-9));
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "GANGS")
    void noPlanContainsAWithdrawnCandidate(SmallRounds kind) {
        int withdrawn = 0;
        for (Solved each : solved(kind, RelaxationLevel.PATTERNS)) {
            CouplingConstraints before = each.round().constraints(RelaxationLevel.PATTERNS);
            for (int c = 0; c < each.round().candidates().size(); c++) {
                if (before.isOffered(c)
                        && !each.constraints().isOffered(c)
                        && c % 3 == 0
                        && !each.round().isAdoptedInPlace(c)) {
                    withdrawn++;
                    assertThat(each.round().isPossible(c))
                            .as("candidate %d of %s is in a plan", c, each.round())
                            .isFalse();
                }
            }
        }
        assertThat(withdrawn).isGreaterThan(10);
    }

    /** A forced choice makes rows degenerate: presolve uses it, while subproblems do not see it. */
    @ParameterizedTest
    @EnumSource(names = {"PLAIN", "SHRUNK_HOSTS", "HOST_LEVELS", "GROUPS", "QUOTAS"})
    void pricesOfRowsGiveTheSameBound(SmallRounds kind) {
        int free = 0;
        for (Solved each : solved(kind, RelaxationLevel.TENANTS)) {
            if (!each.round().isForced()) {
                free++;
                DualSolution evaluated = each.evaluated();
                DualSolution restarted = ColumnGeneration.search(
                        each.constraints(), List.of(each.relaxation().prices()), pass -> CLOSE, 0, () -> false);

                assertThat(evaluated.bound())
                        .as("bound of the subproblems of %s", each.round())
                        .isLessThanOrEqualTo(each.relaxation().bound() + each.tolerance());
                assertThat(restarted.bound())
                        .as("bound within the limits of prices of %s", each.round())
                        .isLessThanOrEqualTo(evaluated.bound() + each.tolerance());
            }
        }
        assertThat(free).isGreaterThan(30);
    }

    /** The parent may use four slots, of which its child always claims two. */
    @Test
    void slotsReservedForAChildAreNotLeftForItsParent() {
        CandidateSet candidates = CandidateGenerator.generate(problem()
                .nodes(8)
                .tenant("parent", "root", new Quota(4, 0, null))
                .tenant("child", "parent", new Quota(2, 0, 0))
                .jobs(
                        job("a").tenant("parent").slots(1),
                        job("b").tenant("parent").slots(1),
                        job("c").tenant("parent").slots(1))
                .build());
        CouplingConstraints constraints =
                CouplingConstraintsBuilder.of(candidates, List.of(), RelaxationLevel.PATTERNS);
        double two = 2 * constraints.worth(0);

        double bound = LinearRelaxation.solve(constraints, two, 2, () -> false).bound();

        assertThat(constraints.claims()).hasSize(1);
        assertThat(bound).isCloseTo(two, within(CLOSE * two));
    }

    /** With 100 idle nodes for each contended one, typical prices are far too low. */
    @Test
    void boundIsTightWhereMostNodesAreIdle() {
        Random random = new Random(1);
        ProblemFixture problem = problem();
        IntStream.range(0, 4).forEach(v -> problem.node(node("fast" + v, 8)));
        IntStream.range(0, 400).forEach(v -> problem.node(node("idle" + v, 8).type("V100")));
        for (int j = 0; j < 60; j++) {
            problem.job(job("j" + j)
                    .types("A100")
                    .slots(1 + random.nextInt(3), 4 + random.nextInt(4))
                    .host(random.nextInt(3), random.nextInt(3))
                    .weight(1 + random.nextInt(20)));
        }
        CandidateSet candidates = CandidateGenerator.generate(problem.build());
        CouplingConstraints constraints =
                CouplingConstraintsBuilder.of(candidates, List.of(), RelaxationLevel.PATTERNS);
        double expected = columnGeneration(constraints);

        double bound =
                LinearRelaxation.solve(constraints, expected, 20, () -> false).bound();

        assertThat(bound).isCloseTo(expected, within(CLOSE * expected));
    }

    /** Prices of the last round only shorten the way: the bound is the same, even from useless ones. */
    @ParameterizedTest
    @EnumSource
    void pricesOfTheLastRoundLeadToTheSameBound(SmallRounds kind) {
        double[] factors = {1, 0.5, 0, 1e30, Double.POSITIVE_INFINITY, Double.NaN, -1};
        int warm = 0;
        for (Solved each : solved(kind, RelaxationLevel.TENANTS)) {
            double factor = factors[warm++ % factors.length];
            Map<String, Double> prices = new HashMap<>();
            for (int r = 0; r < each.constraints().rows().size(); r++) {
                prices.put(
                        each.constraints().rows().get(r).key().toString(),
                        factor * each.relaxation().prices()[r]);
            }
            CandidateSet candidates = CandidateGenerator.generate(
                    each.constraints().candidates().problem().withMemory(new RoundMemory(prices, Map.of())));
            CouplingConstraints constraints =
                    CouplingConstraintsBuilder.of(candidates, each.round().obligations(), RelaxationLevel.TENANTS);

            RelaxationSolution again = LinearRelaxation.solve(constraints, Math.abs(each.optimum()), 2, () -> false);

            assertThat(again.bound())
                    .as("%s from prices times %s", each.round(), factor)
                    .isGreaterThanOrEqualTo(each.optimum() - 1e-9)
                    .isLessThanOrEqualTo(each.relaxation().bound() + 2 * each.tolerance());
        }
    }

    private static List<Solved> solved(SmallRounds kind, RelaxationLevel level) {
        return SOLVED.computeIfAbsent(kind + " " + level, any -> solve(kind, level));
    }

    private static List<Solved> solve(SmallRounds kind, RelaxationLevel level) {
        List<Solved> all = new ArrayList<>();
        for (long seed = 0; seed < SEEDS; seed++) {
            SmallRounds.Round round = kind.round(seed, 3, 4);
            CouplingConstraints constraints = round.constraints(level);
            double optimum = round.optimum();
            if (optimum > Double.NEGATIVE_INFINITY && LinearRelaxation.applies(constraints)) {
                double estimate = ESTIMATES[(int) (seed % ESTIMATES.length)] * Math.abs(optimum);
                all.add(new Solved(
                        round, constraints, optimum, LinearRelaxation.solve(constraints, estimate, 2, () -> false)));
            }
        }
        return all;
    }

    private static double columnGeneration(CouplingConstraints constraints) {
        return ColumnGeneration.search(
                        constraints, List.of(new double[constraints.rows().size()]), pass -> 1e-6, 300, () -> false)
                .bound();
    }
}
