package dev.spur.solver.program;

import static dev.spur.model.JobFixture.allocation;
import static dev.spur.model.JobFixture.job;
import static dev.spur.model.JobFixture.piece;
import static dev.spur.model.NodeFixture.node;
import static dev.spur.model.ProblemFixture.problem;
import static dev.spur.solver.program.ProgramFeasibility.allRun;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.ProblemFixture;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.objective.Objective;
import dev.spur.model.objective.ObjectiveKind;
import dev.spur.model.tenant.Quota;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.placement.PartialPlacement;
import dev.spur.solver.placement.StallLoss;
import dev.spur.solver.solve.Solution;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The guarantees of the program for jobs. Those for nodes, pools and tenants have tests of their own. */
class RoundProgramTest {
    @Nested
    class EachJobRunsInAtMostOneConfiguration {
        @Test
        void oneOfSeveralMayBeChosen() {
            ProblemFixture free = problem().nodes(8).job(job("a").slots(1, 2));

            assertThat(ProgramFeasibility.of(free).start("a", List.of(1)).hold())
                    .isTrue();
            assertThat(ProgramFeasibility.of(free).start("a", List.of(2)).hold())
                    .isTrue();
        }

        @Test
        void twoMayNot() {
            ProblemFixture free = problem().nodes(8).job(job("a").slots(1, 2));

            assertThat(ProgramFeasibility.of(free)
                            .start("a", List.of(1))
                            .start("a", List.of(2))
                            .hold())
                    .isFalse();
        }

        @Test
        void noJobStartsAgainWhileItKeepsItsAllocation() {
            ProblemFixture free = problem().nodes(8).job(job("a").slots(1, 2).on("n1", 1));

            assertThat(ProgramFeasibility.of(free).keep("a").start("a").hold()).isFalse();
        }
    }

    @Nested
    class WhoMayNotBeTouchedKeepsWhatItHolds {
        @Test
        void aJobMayBeStopped() {
            assertThat(ProgramFeasibility.of(problem().nodes(8).job(job("a").on("n1", 1)))
                            .stop("a")
                            .hold())
                    .isTrue();
        }

        @Test
        void aJobThatIsNotPreemptibleMayNot() {
            assertThat(ProgramFeasibility.of(problem()
                                    .nodes(8)
                                    .job(job("a").notPreemptible().on("n1", 1)))
                            .stop("a")
                            .hold())
                    .isFalse();
        }

        @Test
        void aJobInItsMinimumRunTimeMayNot() {
            assertThat(ProgramFeasibility.of(startedAt(401)).stop("a").hold()).isFalse();
            assertThat(ProgramFeasibility.of(startedAt(400)).stop("a").hold()).isTrue();
        }

        private static ProblemFixture startedAt(double since) {
            return problem().nodes(8).job(job("a").minRun(600).holding(allocation(since, piece("n1", 0, 1))));
        }
    }

    @Nested
    class RestartsStayWithinTheLimit {
        private static ProblemFixture two(int limit) {
            return problem()
                    .nodes(8)
                    .maxRestarts(limit)
                    .jobs(
                            job("a").slots(1, 2).on("n1", 0, 1),
                            job("b").slots(1, 2).on("n1", 1, 1),
                            job("c"));
        }

        @Test
        void asManyAsTheLimitMayBeDisturbed() {
            assertThat(ProgramFeasibility.of(two(1)).stop("a").keep("b").hold()).isTrue();
            assertThat(ProgramFeasibility.of(two(2)).stop("a").start("b").hold())
                    .isTrue();
        }

        @Test
        void oneMoreMayNot() {
            assertThat(ProgramFeasibility.of(two(1)).stop("a", "b").hold()).isFalse();
            assertThat(ProgramFeasibility.of(two(1)).stop("a").start("b").hold())
                    .isFalse();
            assertThat(ProgramFeasibility.of(two(0)).stop("a").hold()).isFalse();
        }

        @Test
        void startsDoNotCount() {
            assertThat(ProgramFeasibility.of(two(0)).start("c").hold()).isTrue();
        }

        @Test
        void whoCannotStayDoesNotCount() {
            ProblemFixture drained =
                    two(0).node(node("d", 2).state(NodeState.DRAINING)).job(job("d").on("d", 1));

            assertThat(ProgramFeasibility.of(drained).stop("d").hold()).isTrue();
            assertThat(ProgramFeasibility.of(drained).stop("d", "a").hold()).isFalse();
        }

        @Test
        void theLimitRestsWhileQuotasHaveShrunkSoThatNotAllCanStay() {
            ProblemFixture shrunk = two(0).tenant("root", null, new Quota(1, 0, null));

            assertThat(ProgramFeasibility.of(shrunk).stop("a").keep("b").hold()).isTrue();
        }

        @Test
        void theLimitRestsWhileAHostHasShrunkSoThatNotAllCanStay() {
            ProblemFixture shrunk = problem()
                    .node(node("n1", 8).cpus(1))
                    .maxRestarts(0)
                    .jobs(
                            job("a").host(1, 0).on("n1", 0, 1),
                            job("b").host(1, 0).on("n1", 1, 1));

            assertThat(ProgramFeasibility.of(shrunk).stop("a").keep("b").hold()).isTrue();
        }
    }

    /** One slot, which {@code rich} would get. */
    @Nested
    class ObligationsAreMet {
        private final ProgramFeasibility choices = ProgramFeasibility.of(
                problem().nodes(1).jobs(job("rich").work(1e5), job("poor").work(1e7)));

        @Test
        void withoutThemWorthDecides() {
            choices.program().maximizeWorth();

            assertThat(runs(choices, "rich")).isTrue();
        }

        @Test
        void withThemWorthDoesNot() {
            choices.program()
                    .obligationsAreMet(
                            List.of(new Obligation(choices.index("poor"), choices.of("poor", candidate -> true))));
            choices.program().maximizeWorth();

            assertThat(runs(choices, "poor")).isTrue();
        }
    }

    @Nested
    class AnEarlierObligationGoesBeforeAllLaterOnes {
        @Test
        void oneLargeJobBeforeThreeSmallOnes() {
            ProgramFeasibility choices = ProgramFeasibility.of(
                    problem().nodes(3).jobs(job("small1"), job("large").slots(3), job("small2"), job("small3")));

            maximizeMet(choices, "large", "small1", "small2", "small3");

            assertThat(runs(choices, "large")).isTrue();
        }

        @Test
        void asManyLaterOnesAsStillHold() {
            ProgramFeasibility choices = ProgramFeasibility.of(
                    problem().nodes(5).jobs(job("a").slots(3), job("b").slots(3), job("c"), job("d")));

            maximizeMet(choices, "a", "b", "c", "d");

            assertThat(runs(choices, "a")).isTrue();
            assertThat(runs(choices, "b")).isFalse();
            assertThat(runs(choices, "c")).isTrue();
            assertThat(runs(choices, "d")).isTrue();
        }

        @Test
        void sixtyOfThemStillHaveRanksOfTheirOwn() {
            ProblemFixture many = problem().nodes(59).job(job("j0").slots(59));
            for (int i = 1; i < 60; i++) {
                many.job(job("j" + i));
            }
            ProgramFeasibility choices = ProgramFeasibility.of(many);

            maximizeMet(
                    choices, many.build().jobs().stream().map(job -> job.id()).toArray(String[]::new));

            assertThat(runs(choices, "j0")).isTrue();
            assertThat(runs(choices, "j1")).isFalse();
        }

        private static void maximizeMet(ProgramFeasibility choices, String... jobs) {
            List<Obligation> obligations = new ArrayList<>();
            for (String job : jobs) {
                obligations.add(new Obligation(choices.index(job), choices.of(job, candidate -> true)));
            }
            choices.program().maximizeObligationsMet(obligations);
        }
    }

    @Nested
    class WhatNoPlacementHoldsIsCutOff {
        @Test
        void onlyAllOfItTogether() {
            ProblemFixture free = problem().nodes(8).jobs(job("a"), job("b"));

            assertThat(allRun(free)).isTrue();
            assertThat(cut(free).start("a").stop("b").hold()).isTrue();
            assertThat(cut(free).start("a", "b").hold()).isFalse();
        }

        private static ProgramFeasibility cut(ProblemFixture fixture) {
            ProgramFeasibility choices = ProgramFeasibility.of(fixture);
            choices.program().isNotPlacedTogether(List.of(0, 1));
            return choices;
        }
    }

    @Nested
    class StallsAreCharged {
        @Test
        void whereAllCandidatesOfTheLossAreChosen() {
            assertThat(worth(0.25, "a", "b")).isCloseTo(worth(0, "a", "b") - 0.25, within(1e-8));
            assertThat(worth(0.25, "a")).isCloseTo(worth(0, "a"), within(1e-8));
        }

        @Test
        void onceForEachClassOfNodes() {
            StallLoss all = new StallLoss(0, List.of(0, 1), 0.25);
            StallLoss one = new StallLoss(0, List.of(0), 0.125);

            assertThat(worth(List.of(one, all), "a", "b")).isCloseTo(worth(0.25, "a", "b"), within(1e-8));
            assertThat(worth(List.of(one, all), "a")).isCloseTo(worth(0, "a") - 0.125, within(1e-8));
            assertThat(worth(List.of(one, new StallLoss(1, List.of(0), 0.25)), "a"))
                    .isCloseTo(worth(0, "a") - 0.375, within(1e-8));
        }

        private static double worth(double loss, String... jobs) {
            return worth(List.of(new StallLoss(0, List.of(0, 1), loss)), jobs);
        }

        private static double worth(List<StallLoss> losses, String... jobs) {
            ProgramFeasibility choices =
                    ProgramFeasibility.of(problem().nodes(2).jobs(job("a").weight(5), job("b").weight(5)));
            if (jobs.length == 1) {
                choices.stop("b");
            }
            losses.forEach(choices.program()::stallsAreCharged);
            choices.program().maximizeWorth();
            return choices.solve().bestBound();
        }
    }

    @Nested
    class WorthIsMaximized {
        private static final double FIRST = 100 * 1170 / 1e6;

        @Test
        void theBestChoiceWinsAndItsWorthIsTheBound() {
            ProgramFeasibility choices = ProgramFeasibility.of(problem()
                    .nodes(3)
                    .jobs(
                            job("a").slots(2).arrival(1000),
                            job("b").slots(2).arrival(1000).weight(3),
                            job("c").arrival(1000)));
            choices.program().maximizeWorth();

            Solution solution = choices.solve();

            assertThat(solution.end()).isEqualTo(Solution.End.OPTIMAL);
            assertThat(chosen(choices, solution)).containsExactlyInAnyOrder("b", "c");
            assertThat(solution.bestBound()).isCloseTo(2 * FIRST * 3 + FIRST, within(1e-8));
        }

        @Test
        void whatIsWorthLessThanNothingWaits() {
            ProblemFixture dear = problem()
                    .node(node("n1", 2).price(1e6))
                    .objective(new Objective(ObjectiveKind.PROGRESS, 0.5, 1.1, 0.01, List.of(), 1, 1))
                    .job(job("a"));
            ProgramFeasibility choices = ProgramFeasibility.of(dear);
            choices.program().maximizeWorth();

            assertThat(runs(choices, "a")).isFalse();
        }

        @Test
        void aHintDoesNotChangeTheAnswer() {
            ProgramFeasibility choices =
                    ProgramFeasibility.of(problem().nodes(1).jobs(job("a"), job("b").weight(2)));
            choices.program().maximizeWorth();
            int[] other = {choices.of("a", candidate -> true).get(0), -1};
            choices.program().hint(new PartialPlacement(other, Map.of(0, List.of(0))));

            assertThat(runs(choices, "b")).isTrue();
        }

        @Test
        void theRoundingErrorIsSmall() {
            ProgramFeasibility choices =
                    ProgramFeasibility.of(problem().nodes(3).jobs(job("a"), job("b"), job("c")));

            assertThat(choices.program().roundingError()).isLessThan(1e-9 * 3 * FIRST);
        }
    }

    private static boolean runs(ProgramFeasibility choices, String job) {
        return chosen(choices, choices.solve()).contains(job);
    }

    private static List<String> chosen(ProgramFeasibility choices, Solution solution) {
        return Arrays.stream(solution.choice())
                .filter(c -> c >= 0)
                .mapToObj(choices.candidates()::get)
                .map(Candidate::job)
                .map(j -> choices.candidates().job(j).id())
                .toList();
    }
}
