package dev.spur.model.validation;

import static dev.spur.model.JobFixture.allocation;
import static dev.spur.model.JobFixture.job;
import static dev.spur.model.JobFixture.piece;
import static dev.spur.model.JobFixture.served;
import static dev.spur.model.PlanFixture.plan;
import static dev.spur.model.PlanFixture.rules;
import static dev.spur.model.PlanFixture.standStill;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.JobFixture;
import dev.spur.model.NodeFixture;
import dev.spur.model.PlanFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.objective.Objective;
import dev.spur.model.objective.ObjectiveKind;
import dev.spur.model.round.ChangeKind;
import dev.spur.model.round.PendingJob;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.SolutionQuality;
import dev.spur.model.round.SolveStatus;
import dev.spur.model.tenant.Quota;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the judge asks of a plan as a whole. Single jobs, nodes and tenants have tests of their own. */
class PlanCheckTest {
    private static final Allocation ONE = allocation(1000, piece("n1", 0, 1));
    private static final Allocation OTHER = allocation(1000, piece("n1", 1, 1));

    @Nested
    class EveryJobIsDecidedOnce {
        private static final String RULE = "everyJobIsDecidedOnce";
        private static final RoundProblem PROBLEM =
                problem().nodes(4).jobs(job("a"), job("b")).build();
        private static final RoundPlan SOUND = plan(PROBLEM).run("a", ONE).build();

        @Test
        void eachEitherRunsOrWaits() {
            assertThat(rules(PROBLEM, SOUND)).isEmpty();
        }

        @Test
        void noneIsForgotten() {
            assertThat(rules(PROBLEM, with(SOUND, SOUND.running(), List.of()))).containsExactly(RULE);
        }

        @Test
        void noneRunsAndWaits() {
            List<PendingJob> both = new ArrayList<>(SOUND.waiting());
            both.add(new PendingJob("a", both.get(0).reason(), null, null, null, 2, "It waits."));

            assertThat(rules(PROBLEM, with(SOUND, SOUND.running(), both))).containsExactly(RULE);
        }

        @Test
        void noneRunsTwice() {
            PlannedJob once = SOUND.running().get(0);

            assertThat(rules(PROBLEM, with(SOUND, List.of(once, once), SOUND.waiting())))
                    .containsExactly(RULE);
        }

        @Test
        void noneIsInvented() {
            RoundProblem withoutA = PROBLEM.withJobs(List.of(job("b").build()));

            assertThat(rules(withoutA, SOUND)).containsExactly(RULE);
        }
    }

    @Nested
    class WhoMayNotBeTouchedKeepsWhatItHolds {
        private static final String RULE = "protectedJobsKeepTheirAllocation";

        @Test
        void notPreemptibleMeansNeitherStoppedNorMovedNorResized() {
            RoundProblem problem = problem()
                    .nodes(4)
                    .job(job("a").slots(1, 2).notPreemptible().on("n1", 1))
                    .build();

            assertThat(standStill(problem).brokenRules()).isEmpty();
            assertThat(plan(problem).brokenRules()).containsExactly(RULE);
            assertThat(plan(problem).run("a", OTHER).brokenRules()).containsExactly(RULE);
            assertThat(plan(problem)
                            .run("a", allocation(1000, piece("n1", 0, 2)))
                            .brokenRules())
                    .containsExactly(RULE);
        }

        @ParameterizedTest
        @CsvSource({"600, 30, 401, true", "600, 30, 400, false", "0, 120, 761, true", "0, 120, 760, false"})
        void aJobIsLeftAloneInItsMinimumRunTimeAndInARestart(
                double minRun, double penalty, double since, boolean leftAlone) {
            RoundProblem problem = problem()
                    .nodes(4)
                    .job(job("a").minRun(minRun).restartPenalty(penalty).holding(allocation(since, piece("n1", 0, 1))))
                    .build();

            assertThat(plan(problem).brokenRules()).isEqualTo(leftAlone ? List.of(RULE) : List.of());
        }

        @Test
        void itsAggregationMayMove() {
            RoundProblem problem = problem()
                    .nodes(4, 4)
                    .job(job("a").served(1).notPreemptible().holding(served(0, piece("n1", 0, 1), "n1", 1)))
                    .build();

            assertThat(plan(problem)
                            .run("a", served(0, piece("n1", 0, 1), "n2", 1))
                            .brokenRules())
                    .isEmpty();
        }
    }

    @Nested
    class RestartsStayWithinTheLimit {
        private static final String RULE = "restartsStayWithinTheLimit";

        private static ProblemFixture three(int limit) {
            return problem()
                    .nodes(8)
                    .maxRestarts(limit)
                    .jobs(
                            job("a").slots(1, 2).on("n1", 0, 1),
                            job("b").slots(1, 2).on("n1", 1, 1),
                            job("c").slots(1, 2));
        }

        @Test
        void movesResizesAndPreemptionsCount() {
            assertThat(plan(three(2).build()).brokenRules()).isEmpty();
            assertThat(plan(three(1).build()).brokenRules()).containsExactly(RULE);
            assertThat(standStill(three(1).build())
                            .run("a", allocation(1000, piece("n1", 2, 1)))
                            .run("b", allocation(1000, piece("n1", 3, 2)))
                            .brokenRules())
                    .containsExactly(RULE);
            assertThat(standStill(three(1).build())
                            .run("b", allocation(1000, piece("n1", 3, 2)))
                            .brokenRules())
                    .isEmpty();
        }

        @Test
        void startsDoNotCount() {
            assertThat(standStill(three(0).build())
                            .run("c", allocation(1000, piece("n1", 2, 1)))
                            .brokenRules())
                    .isEmpty();
        }

        @Test
        void whoCannotStayDoesNotCount() {
            RoundProblem problem = problem()
                    .node(NodeFixture.node("n1", 8).state(NodeState.DRAINING))
                    .maxRestarts(0)
                    .job(job("a").on("n1", 1))
                    .build();

            assertThat(plan(problem).brokenRules()).isEmpty();
        }

        @Test
        void theLimitRestsWhileQuotasHaveShrunkSoThatNotAllCanStay() {
            ProblemFixture shrunk = three(0).tenant("root", null, new Quota(1, 0, null));

            assertThat(standStill(shrunk.build()).stop("a").brokenRules()).isEmpty();
        }

        @Test
        void theLimitRestsWhileAggregationHasShrunkSoThatNotAllCanStay() {
            assertThat(standStill(aggregating(1)).stop("a").brokenRules()).isEmpty();
            assertThat(standStill(aggregating(2)).stop("a").brokenRules()).containsExactly(RULE);
        }

        @Test
        void theLimitRestsWhileAHostHasShrunkSoThatNotAllCanStay() {
            assertThat(standStill(onHost(1)).stop("a").brokenRules()).isEmpty();
            assertThat(standStill(onHost(2)).stop("a").brokenRules()).containsExactly(RULE);
        }

        private static RoundProblem aggregating(double offered) {
            return problem()
                    .node(NodeFixture.node("n1", 8).aggregation(offered))
                    .maxRestarts(0)
                    .jobs(
                            job("a").served(1).holding(served(0, piece("n1", 0, 1), "n1", 1)),
                            job("b").served(1).holding(served(0, piece("n1", 1, 1), "n1", 1)))
                    .build();
        }

        private static RoundProblem onHost(double cpus) {
            return problem()
                    .node(NodeFixture.node("n1", 8).cpus(cpus))
                    .maxRestarts(0)
                    .jobs(
                            job("a").host(1, 0).on("n1", 0, 1),
                            job("b").host(1, 0).on("n1", 1, 1))
                    .build();
        }
    }

    @Nested
    class PromisesAreKept {
        private static final String RULE = "deadlineStatusesHold";

        /** 100 samples/s from 30 s after 1,000 on: 97,000 samples by 2,000. */
        private static RoundProblem dueAt2000(double samples, UnaryOperator<JobFixture> change) {
            return problem()
                    .nodes(4)
                    .job(change.apply(job("a").work(samples).deadline(2000, DeadlineStatus.PENDING)))
                    .build();
        }

        @Test
        void whatIsPromisedIsDoneInTimeIfNothingChanges() {
            RoundProblem inTime = dueAt2000(97_000, job -> job);
            RoundProblem late = dueAt2000(97_001, job -> job);

            assertThat(plan(inTime)
                            .run("a", ONE)
                            .deadlineStatus("a", DeadlineStatus.GUARANTEED)
                            .brokenRules())
                    .isEmpty();
            assertThat(plan(late)
                            .run("a", ONE)
                            .deadlineStatus("a", DeadlineStatus.GUARANTEED)
                            .brokenRules())
                    .containsExactly(RULE);
        }

        @Test
        void whoKeepsItsAllocationPaysNoRestart() {
            RoundProblem inTime = dueAt2000(100_000, job -> job.on("n1", 1));
            RoundProblem late = dueAt2000(100_001, job -> job.on("n1", 1));

            assertThat(standStill(inTime)
                            .deadlineStatus("a", DeadlineStatus.GUARANTEED)
                            .brokenRules())
                    .isEmpty();
            assertThat(standStill(late)
                            .deadlineStatus("a", DeadlineStatus.GUARANTEED)
                            .brokenRules())
                    .containsExactly(RULE);
        }

        @Test
        void whoIsInTheMiddleOfARestartHasTheRestOfItAhead() {
            Allocation tenSecondsAgo = allocation(990, piece("n1", 0, 1));
            RoundProblem inTime = dueAt2000(98_000, job -> job.holding(tenSecondsAgo));
            RoundProblem late = dueAt2000(98_001, job -> job.holding(tenSecondsAgo));

            assertThat(standStill(inTime)
                            .deadlineStatus("a", DeadlineStatus.GUARANTEED)
                            .brokenRules())
                    .isEmpty();
            assertThat(standStill(late)
                            .deadlineStatus("a", DeadlineStatus.GUARANTEED)
                            .brokenRules())
                    .containsExactly(RULE);
        }

        @Test
        void aJobThatWaitsCannotBePromised() {
            assertThat(plan(dueAt2000(1, job -> job))
                            .deadlineStatus("a", DeadlineStatus.GUARANTEED)
                            .brokenRules())
                    .containsExactly(RULE);
            assertThat(plan(dueAt2000(1, job -> job))
                            .deadlineStatus("a", DeadlineStatus.AT_RISK)
                            .brokenRules())
                    .isEmpty();
        }

        @Test
        void aJobWithoutDeadlineIsPromisedNothing() {
            RoundProblem problem = problem().nodes(4).job(job("a")).build();

            assertThat(plan(problem)
                            .deadlineStatus("a", DeadlineStatus.GUARANTEED)
                            .brokenRules())
                    .containsExactly(RULE);
            assertThat(plan(problem).deadlineStatus("a", DeadlineStatus.AT_RISK).brokenRules())
                    .containsExactly(RULE);
        }

        @Test
        void aDeadlineIsAnswered() {
            RoundProblem problem = dueAt2000(1, job -> job);

            assertThat(plan(problem).deadlineStatus("a", DeadlineStatus.PENDING).brokenRules())
                    .containsExactly(RULE);
            assertThat(plan(problem).brokenRules()).containsExactly(RULE);
        }
    }

    @Nested
    class WorthIsAsStated {
        private static final String RULE = "utilityIsAsStated";
        private static final RoundProblem PROBLEM =
                problem().nodes(4).jobs(job("a"), job("b")).build();
        private static final RoundPlan SOUND = plan(PROBLEM).run("a", ONE).build();

        @Test
        void theWorthOfAJobIsCountedAfresh() {
            PlannedJob own = SOUND.running().get(0);
            PlannedJob more = new PlannedJob(
                    own.jobId(), own.allocation(), ChangeKind.START, own.goodput(), own.utility() + 0.001, "It runs.");

            assertThat(rules(PROBLEM, with(SOUND, List.of(more), SOUND.waiting())))
                    .containsExactly(RULE);
        }

        @Test
        void theWorthOfThePlanIsTheSum() {
            double utility = SOUND.quality().objectiveValue();
            SolutionQuality more = SolutionQuality.of(SolveStatus.OPTIMAL, utility + 0.001, utility + 0.001, 0);

            assertThat(rules(PROBLEM, withProof(SOUND, more))).containsExactly(RULE);
        }

        @Test
        void theBoundIsNotBelowTheWorth() {
            double utility = SOUND.quality().objectiveValue();

            assertThat(rules(
                            PROBLEM,
                            withProof(SOUND, new SolutionQuality(SolveStatus.OPTIMAL, utility, utility, 0, 0, 1))))
                    .isEmpty();
            assertThat(rules(
                            PROBLEM,
                            withProof(
                                    SOUND,
                                    new SolutionQuality(SolveStatus.OPTIMAL, utility, utility - 0.001, 0, 0, 1))))
                    .containsExactly(RULE);
            assertThat(rules(
                            PROBLEM,
                            withProof(SOUND, new SolutionQuality(SolveStatus.OPTIMAL, utility, Double.NaN, 0, 0, 1))))
                    .containsExactly(RULE);
        }

        @Test
        void aMoveIsChargedItsRestartAndItsNodesTheirPrice() {
            Objective priced = new Objective(ObjectiveKind.REMAINING_TIME, 0.5, 1.1, 0.01, List.of(), 1, 0.001);
            RoundProblem problem = problem()
                    .objective(priced)
                    .node(NodeFixture.node("n1", 4).price(3))
                    .node(NodeFixture.node("n2", 4).price(6))
                    .job(job("a").slots(2).on("n1", 2))
                    .build();

            double retained = utility(standStill(problem));
            double moved = utility(plan(problem).run("a", allocation(1000, piece("n1", 0, 1), piece("n2", 0, 1))));

            assertThat(retained).isCloseTo(3 * 200 * 1200 / 1e6 - 0.001 * 2 * 3 / 3.0, within(1e-12));
            assertThat(moved).isCloseTo(3 * 200 * 1170 / 1e6 - 0.001 * (6 + 6) / 3.0, within(1e-12));
        }

        private static double utility(PlanFixture plan) {
            return plan.build().quality().objectiveValue();
        }
    }

    private static RoundPlan with(RoundPlan plan, List<PlannedJob> runningJobs, List<PendingJob> pendingJobs) {
        return new RoundPlan(
                runningJobs, pendingJobs, plan.deadlineStatuses(), plan.quality(), plan.stats(), plan.memory());
    }

    private static RoundPlan withProof(RoundPlan plan, SolutionQuality quality) {
        return new RoundPlan(
                plan.running(), plan.waiting(), plan.deadlineStatuses(), quality, plan.stats(), plan.memory());
    }
}
