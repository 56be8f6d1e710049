package dev.spur.solver.heuristic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.GreedyFill;
import dev.spur.solver.placement.PartialPlacement;
import dev.spur.solver.relaxation.CouplingConstraints;
import dev.spur.solver.relaxation.DualDecisions;
import dev.spur.solver.relaxation.DualSolution;
import dev.spur.solver.relaxation.LagrangianEvaluation;
import dev.spur.solver.relaxation.LinearRelaxation;
import dev.spur.solver.relaxation.RelaxationLevel;
import dev.spur.solver.relaxation.SmallRounds;
import dev.spur.solver.resource.ResourceKey;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class GapDecompositionTest {
    private static final int SEEDS = 60;
    private static final double CLOSE = 1e-6;

    /** A round with prices, and a plan. */
    private static final class Priced {
        private final SmallRounds.Round round;
        private final CouplingConstraints constraints;
        private final DualSolution dualSolution;
        private final PlanState plan;
        private final GapDecomposition gapDecomposition;

        Priced(SmallRounds kind, RelaxationLevel level, long seed, boolean optimal) {
            this.round = kind.round(seed, 4, 8);
            this.constraints = round.constraints(level);
            this.plan = PlanState.of(constraints, GreedyFill.fill(round.candidates()));
            this.dualSolution = LagrangianEvaluation.of(constraints, prices(seed, optimal), plan.choice());
            this.gapDecomposition = new GapDecomposition(round.candidates(), constraints, dualSolution, plan);
        }

        private double[] prices(long seed, boolean optimal) {
            return optimal && LinearRelaxation.applies(constraints)
                    ? LinearRelaxation.solve(constraints, utility(), 4, () -> false)
                            .prices()
                    : round.prices(constraints, new Random(seed));
        }

        double utility() {
            return IntStream.of(plan.choice())
                    .filter(c -> c >= 0)
                    .mapToDouble(c -> round.candidates().get(c).utility())
                    .sum();
        }

        double ofJobs() {
            return IntStream.range(0, constraints.jobs())
                            .mapToDouble(gapDecomposition::ofJob)
                            .sum()
                    + dualSolution.decisions().jointSubproblems().stream()
                            .mapToDouble(gapDecomposition::of)
                            .sum();
        }

        double ofNodes() {
            return IntStream.range(0, gapDecomposition.nodes())
                    .mapToDouble(gapDecomposition::ofNode)
                    .sum();
        }

        /** Returns the price of the unused capacity of rows other than nodes, and of claims above their minimum. */
        double ofRows() {
            double[] use = new double[constraints.rows().size()];
            IntStream.of(plan.choice()).filter(c -> c >= 0).forEach(c -> constraints.addUse(c, 1, use));
            constraints.allPrivateQuotas().forEach(quota -> {
                int claim = quota.claim((int) Math.round(use[quota.row()]));
                quota.counts().forEach(r -> use[r] += claim);
            });
            double loss = 0;
            for (int i = constraints.claims().size() - 1; i >= 0; i--) {
                CouplingConstraints.ParentClaim claim = constraints.claims().get(i);
                double claimed = Math.max(claim.min(), use[claim.cover()]);
                use[claim.cover()] -= claimed;
                claim.counts().forEach(r -> use[r] += claimed);
                double above = claim.counts().stream()
                        .mapToDouble(r -> dualSolution.sharedPrices()[r])
                        .sum();
                double excess = dualSolution.sharedPrices()[claim.cover()] - above;
                loss += excess * ((excess > 0 ? claim.max() : claim.min()) - claimed);
            }
            for (int r = 0; r < use.length; r++) {
                CouplingConstraints.Row row = constraints.rows().get(r);
                loss += isOfNodes(row.key()) ? 0 : dualSolution.sharedPrices()[r] * (row.capacity() - use[r]);
            }
            return loss;
        }

        private static boolean isOfNodes(ResourceKey key) {
            return key instanceof ResourceKey.NodePieces;
        }
    }

    @ParameterizedTest
    @EnumSource
    void lossesAddUpToTheBoundMinusTheObjectiveValue(SmallRounds kind) {
        int together = 0;
        int claims = 0;
        for (RelaxationLevel level : RelaxationLevel.values()) {
            for (long seed = 0; seed < SEEDS; seed++) {
                Priced each = new Priced(kind, level, seed, seed % 2 == 0);
                double gap = each.dualSolution.decisionsBound() - each.utility();

                assertThat(each.ofJobs() + each.ofNodes() + each.ofRows())
                        .as("%s at %s", each.round, level)
                        .isCloseTo(gap, within(CLOSE * Math.max(1, Math.abs(each.dualSolution.decisionsBound()))));
                together += each.dualSolution.decisions().jointSubproblems().size();
                claims += each.constraints.claims().size();
            }
        }
        if (kind != SmallRounds.GANGS) {
            assertThat(together).as("joint subproblems").isPositive();
            assertThat(claims).as("claims").isPositive();
        }
    }

    @ParameterizedTest
    @EnumSource
    void noLossIsNegative(SmallRounds kind) {
        for (RelaxationLevel level : RelaxationLevel.values()) {
            for (long seed = 0; seed < SEEDS; seed++) {
                Priced each = new Priced(kind, level, seed, seed % 2 == 0);
                GapDecomposition gapDecomposition = each.gapDecomposition;

                assertThat(IntStream.range(0, each.constraints.jobs())
                                .mapToDouble(gapDecomposition::ofJob)
                                .min()
                                .orElse(0))
                        .as("least loss of a job of %s at %s", each.round, level)
                        .isGreaterThanOrEqualTo(-1e-9);
                assertThat(IntStream.range(0, gapDecomposition.nodes())
                                .mapToDouble(gapDecomposition::ofNode)
                                .min()
                                .orElse(0))
                        .as("least loss of a node of %s at %s", each.round, level)
                        .isGreaterThanOrEqualTo(-1e-9);
                for (DualDecisions.JointSubproblem subproblem :
                        each.dualSolution.decisions().jointSubproblems()) {
                    assertThat(gapDecomposition.of(subproblem))
                            .as("loss of a joint subproblem of %s", each.round)
                            .isGreaterThanOrEqualTo(-1e-9);
                }
            }
        }
    }

    /** A cached loss is that of a new decomposition after each change of the plan. */
    @ParameterizedTest
    @CsvSource({"GANGS, PATTERNS", "PLAIN, PATTERNS", "QUOTAS, TENANTS", "SHRUNK_HOSTS, PATTERNS"})
    void lossesFollowChangesOfThePlan(SmallRounds kind, RelaxationLevel level) {
        int changes = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            Priced each = new Priced(kind, level, seed, false);
            Random random = new Random(seed);
            for (int trial = 0; trial < 5; trial++) {
                each.ofJobs();
                each.ofNodes();
                int j = random.nextInt(each.constraints.jobs());
                if (each.round.candidates().isPinned(j)) {
                    continue;
                }
                changes++;
                each.gapDecomposition.invalidate(j);
                each.plan.remove(j);
                int[] offered = each.constraints.candidatesOf(j).toArray();
                if (offered.length > 0 && random.nextBoolean()) {
                    each.plan.put(offered[random.nextInt(offered.length)]);
                }
                each.gapDecomposition.invalidate(j);

                GapDecomposition fresh =
                        new GapDecomposition(each.round.candidates(), each.constraints, each.dualSolution, each.plan);
                for (int i = 0; i < each.constraints.jobs(); i++) {
                    assertThat(each.gapDecomposition.ofJob(i)).isEqualTo(fresh.ofJob(i));
                    assertThat(each.gapDecomposition.margin(i)).isEqualTo(fresh.margin(i));
                }
                for (int v = 0; v < fresh.nodes(); v++) {
                    assertThat(each.gapDecomposition.ofNode(v))
                            .as("%s, node %d", each.round, v)
                            .isCloseTo(fresh.ofNode(v), within(1e-12));
                }
            }
        }
        assertThat(changes).isGreaterThan(SEEDS);
    }

    @Test
    void marginIsTheDistanceToTheBestOtherChoice() {
        for (long seed = 0; seed < SEEDS; seed++) {
            Priced each = new Priced(SmallRounds.PLAIN, RelaxationLevel.PATTERNS, seed, false);
            for (int j = 0; j < each.constraints.jobs(); j++) {
                int now = each.plan.choiceOf(j);
                double best = each.constraints.mayWait(j) ? 0 : Double.NEGATIVE_INFINITY;
                double next = now >= 0 ? best : Double.NEGATIVE_INFINITY;
                for (int c : each.constraints.candidatesOf(j).toArray()) {
                    double reduced = each.constraints.reducedWorth(c, each.dualSolution.byRow());
                    best = Math.max(best, reduced);
                    next = c == now ? next : Math.max(next, reduced);
                }

                double margin = each.gapDecomposition.margin(j);
                assertThat(Double.isInfinite(margin)).isEqualTo(Double.isInfinite(best - next));
                if (!Double.isInfinite(margin)) {
                    assertThat(margin).as("%s, job %d", each.round, j).isCloseTo(best - next, within(1e-12));
                }
            }
        }
    }

    /** Waiting loses the maximum reduced cost of the job, and an empty node its best pattern. */
    @Test
    void anEmptyPlanLosesTheWholeBound() {
        for (long seed = 0; seed < SEEDS; seed++) {
            SmallRounds.Round round = SmallRounds.PLAIN.round(3 * seed + 1, 4, 8);
            CandidateSet candidates = round.candidates();
            CouplingConstraints constraints = round.constraints(RelaxationLevel.PATTERNS);
            double[] prices = round.prices(constraints, new Random(seed));
            int[] waiting = new int[candidates.jobs()];
            Arrays.setAll(waiting, j -> candidates.isPinned(j) ? candidates.retainedCandidate(j) : -1);
            PlanState plan = PlanState.of(constraints, PartialPlacement.withoutPlaces(waiting));

            GapDecomposition gapDecomposition = new GapDecomposition(
                    candidates, constraints, LagrangianEvaluation.of(constraints, prices, waiting), plan);

            for (int j = 0; j < waiting.length; j++) {
                int best = constraints.best(j, prices);
                double expected = waiting[j] >= 0 || best < 0 ? 0 : constraints.reducedWorth(best, prices);
                assertThat(gapDecomposition.ofJob(j))
                        .as("seed %d, job %d", seed, j)
                        .isCloseTo(expected, within(1e-12));
            }
            candidates
                    .clusterIndex()
                    .classes()
                    .forEach(nodeClass -> nodeClass
                            .nodes()
                            .forEach(v -> assertThat(gapDecomposition.ofNode(v))
                                    .isEqualTo(
                                            constraints.patternCapacity().worthOfNode(nodeClass.index(), v, prices))));
            assertThat(List.of(gapDecomposition.nodes()))
                    .containsExactly(candidates.clusterIndex().nodes().size());
        }
    }
}
