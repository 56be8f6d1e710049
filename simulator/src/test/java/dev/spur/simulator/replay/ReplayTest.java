package dev.spur.simulator.replay;

import static dev.spur.simulator.testing.Traces.cluster;
import static dev.spur.simulator.testing.Traces.job;
import static dev.spur.simulator.testing.Traces.trace;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.ProblemFixture;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.Job;
import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundProblem;
import dev.spur.simulator.testing.FifoTestPolicy;
import dev.spur.simulator.testing.TestGroundTruth;
import dev.spur.simulator.testing.Traces;
import dev.spur.simulator.trace.PolicyView;
import dev.spur.simulator.trace.PolicyViewModel;
import dev.spur.simulator.trace.StateTrace;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.TraceJob;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policies;
import dev.spur.solver.policy.Policy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ReplayTest {
    private static final ReplaySettings GRID = ReplaySettings.DEFAULT;
    private static final ReplaySettings AT_ONCE = GRID.withRounds(60, 0.0);

    @Nested
    class Rounds {
        @Test
        void areAtMultiplesOfTheirLength() {
            Replay replay = replay(trace(job("a", 61, 1000)), GRID);

            assertThat(outcome(replay, "a").firstStart()).isEqualTo(120);
            assertThat(outcome(replay, "a").end()).isEqualTo(1120);
        }

        @Test
        void followEventsAtOnceIfConfigured() {
            Replay replay = replay(trace(job("a", 61, 1000), job("b", 70, 10)), AT_ONCE);

            assertThat(outcome(replay, "a").firstStart()).isEqualTo(61);
            assertThat(outcome(replay, "b").firstStart()).isEqualTo(1061);
        }

        @Test
        void keepTheirDistanceFromEachOther() {
            FifoTestPolicy policy = new FifoTestPolicy(true);

            replay(trace(job("a", 10, 1000), job("b", 11, 10), job("c", 14, 10)), policy, GRID.withRounds(60, 2.0));

            assertThat(policy.times()).containsExactly(10.0, 12.0, 14.0, 70.0, 1010.0, 1020.0);
        }

        @Test
        void areSkippedIfThePolicySaysThatNothingCanChange() {
            FifoTestPolicy steady = new FifoTestPolicy(true);
            FifoTestPolicy restless = new FifoTestPolicy(false);

            replay(trace(job("a", 0, 600), job("b", 0, 10)), steady, GRID);
            replay(trace(job("a", 0, 600), job("b", 0, 10)), restless, GRID);

            assertThat(steady.times()).containsExactly(0.0, 60.0, 600.0);
            assertThat(restless.times()).hasSize(11);
        }

        @Test
        void areSkippedWhenAStartIsOverAndNothingElseCouldBeGiven() {
            FifoTestPolicy policy = new FifoTestPolicy(true);

            replay(trace(job("a", 0, 600)), policy, GRID);

            assertThat(policy.times()).containsExactly(0.0);
        }

        @Test
        void areNotHeldWhileThereAreNoJobs() {
            FifoTestPolicy policy = new FifoTestPolicy(false);

            replay(trace(job("a", 0, 30), job("b", 1e6, 30)), policy, GRID);

            assertThat(policy.times()).containsExactly(0.0, 1_000_020.0);
        }
    }

    @Nested
    class TimeLostByStarts {
        @Test
        void isWhatTheTruthSaysOfAFirstStart() {
            TestGroundTruth slow = new TestGroundTruth(100, 1, 1, 45, 30, false);

            Replay replay = replay(trace(job("a", 0, 1, 100, slow)), GRID);

            assertThat(outcome(replay, "a").end()).isEqualTo(145);
            assertThat(outcome(replay, "a").slotSeconds()).isEqualTo(145);
        }

        @Test
        void isPaidForEachChangeOfNodes() {
            Policy restless = moving(held -> held.equals("a100-0") ? "a100-1" : "a100-0");

            Replay replay =
                    Replayer.replay(trace(job("a", 0, 100)), cluster(2, 1), restless, GRID, ProgressListener.NONE);

            assertThat(outcome(replay, "a").end()).isEqualTo(60 + 60 + 40);
            assertThat(outcome(replay, "a").restarts()).isEqualTo(2);
            assertThat(replay.allocationIntervals())
                    .extracting(AllocationInterval::end)
                    .containsExactly(60.0, 120.0, 160.0);
        }

        @Test
        void isNotPaidByWhoKeepsWhatItHolds() {
            Replay replay = Replayer.replay(
                    trace(job("a", 0, 100)), cluster(2, 1), moving(held -> held), GRID, ProgressListener.NONE);

            assertThat(outcome(replay, "a").end()).isEqualTo(100);
            assertThat(outcome(replay, "a").restarts()).isZero();
        }

        @Test
        void isNotPaidForAnotherBatchSizeByWhoTunesItself() {
            Policy retuning = new Renamed(problem -> allocations(problem, held -> held, (int) problem.now() + 64));

            double tuned = endUnder(retuning, new TestGroundTruth(100, 1, 1, 0, 30, true));
            double fixed = endUnder(retuning, new TestGroundTruth(100, 1, 1, 0, 30, false));

            assertThat(tuned).isEqualTo(100);
            assertThat(fixed).isGreaterThan(100);
        }

        private double endUnder(Policy policy, TestGroundTruth truth) {
            var spec = Traces.request("a", 1, 100)
                    .restartPenalty(0)
                    .batch(new dev.spur.model.job.BatchLimits(64, 64, 4096, 4096, Map.of(), true))
                    .spec();
            var job = new TraceJob("a", 0, "root", null, 1, 100, truth, PolicyViewModel.complete(spec));
            return outcome(Replayer.replay(trace(job), cluster(1, 1), policy, GRID, ProgressListener.NONE), "a")
                    .end();
        }
    }

    @Nested
    class ProgressOfJobs {
        @Test
        void followsEachStretchOfTheTruthExactly() {
            TestGroundTruth slowing = new TestGroundTruth(1000, 5, 0.5, 0, 30, false);

            Replay replay = replay(trace(job("a", 0, 1, 1000, slowing)), GRID);

            assertThat(outcome(replay, "a").end()).isEqualTo(100 + 1000);
        }

        @Test
        void isPassedToPoliciesWithTheRemainingWork() {
            List<Double> left = new ArrayList<>();
            Policy watching = new Renamed(problem -> {
                left.add(problem.jobs().get(0).remainingSamples());
                return allocations(problem, held -> held, 64);
            });

            replay(trace(job("a", 0, 200)), watching, GRID);

            assertThat(left).containsExactly(200.0, 140.0, 80.0, 20.0);
        }

        @Test
        void givesExperience() {
            List<Integer> known = new ArrayList<>();
            var spec = Traces.request("a", 1, 200).spec();
            PolicyViewModel learning = history -> {
                known.add(history.pastConfigurations().size());
                return new PolicyView(spec, 200 - history.doneSamples());
            };

            replay(
                    trace(new TraceJob("a", 0, "root", null, 1, 200, TestGroundTruth.of(200), learning)),
                    new FifoTestPolicy(false),
                    GRID);

            assertThat(known).endsWith(0, 1, 1, 1);
        }
    }

    @Nested
    class NodesThatFail {
        private static final ReplaySettings FAILING = GRID.withFailures(new NodeFailures(5000, 600), 100);

        @Test
        void costWhatWasNotSaved() {
            Replay replay = replay(trace(job("a", 0, 20_000)), FAILING);

            JobOutcome job = outcome(replay, "a");
            assertThat(job.restarts()).isPositive();
            assertThat(job.lostSamples()).isPositive().isLessThan(100.0 * job.restarts());
            double work = job.slotSeconds() - 30.0 * job.restarts();
            assertThat(work).isCloseTo(20_000 + job.lostSamples(), within(1e-6));
        }

        @Test
        void holdNothingUntilTheyAreBack() {
            Replay replay = replay(trace(job("a", 0, 20_000)), FAILING);

            List<AllocationInterval> allocationIntervals = replay.allocationIntervals();
            for (int i = 1; i < allocationIntervals.size(); i++) {
                assertThat(allocationIntervals.get(i).start()
                                - allocationIntervals.get(i - 1).end())
                        .isBetween(600.0, 660.0);
            }
        }

        @Test
        void failAtTheSameTimesUnderEveryPolicy() {
            Trace trace = Traces.random(30, 5000, 3);
            Replay one = replay(trace, new FifoTestPolicy(true), FAILING);
            Replay other = replay(trace, new FifoTestPolicy(false), FAILING);

            assertThat(one.jobs()).isEqualTo(other.jobs());
        }
    }

    @Nested
    class TheSameInputs {
        @Test
        void giveTheSameReplay() {
            Trace trace = Traces.random(40, 3000, 7);
            ReplaySettings settings = GRID.withFailures(new NodeFailures(20_000, 600), 300);

            Replay once = Replayer.replay(trace, cluster(2, 4), Policies.spur(), settings, ProgressListener.NONE);
            Replay again = Replayer.replay(trace, cluster(2, 4), Policies.spur(), settings, ProgressListener.NONE);

            assertThat(once.jobs()).isEqualTo(again.jobs());
            assertThat(once.allocationIntervals()).isEqualTo(again.allocationIntervals());
            assertThat(once.validated()).isEqualTo(once.rounds().size());
        }
    }

    @Nested
    class Jobs {
        @Test
        void thatTheEmptyClusterCannotHoldAreRefused() {
            Replay replay = replay(trace(job("a", 0, 10), job("giant", 0, 9, 10, TestGroundTruth.of(10))), GRID);

            assertThat(replay.rejected()).containsExactly("giant");
            assertThat(replay.jobs()).extracting(JobOutcome::id).containsExactly("a");
        }

        @Test
        void thatNeverRunHaveNoEnd() {
            Policy idle = new Renamed(problem -> Map.of());

            Replay replay = replay(trace(job("a", 0, 10)), idle, GRID);

            assertThat(outcome(replay, "a").end()).isNull();
            assertThat(outcome(replay, "a").firstStart()).isNull();
        }

        @Test
        void areServedFairlyIfTheyTakeAsLongAsWithAnEqualShare() {
            Replay replay = replay(trace(job("a", 0, 600), job("b", 0, 600)), GRID);

            assertThat(outcome(replay, "a").fairness()).isCloseTo(600 / (600 * 2.0), within(1e-9));
            assertThat(outcome(replay, "b").fairness()).isCloseTo(1200 / (600 * 1.5), within(1e-9));
        }

        @Test
        void ofAStateShareTheCapsOfTheirGroups() {
            RoundProblem state = ProblemFixture.problem()
                    .node("a100-0", 2)
                    .group("search", null, 1)
                    .job(Traces.request("a", 1, 100).restartPenalty(0).group("search"))
                    .job(Traces.request("b", 1, 100).restartPenalty(0).group("search"))
                    .build();
            Trace trace = StateTrace.of("search", state);

            Replay replay =
                    Replayer.replay(trace, ClusterConfig.of(state), Policies.greedy(), GRID, ProgressListener.NONE);
            Replay free = Replayer.replay(
                    trace,
                    ClusterConfig.of(state).withTenantsOf(trace),
                    Policies.greedy(),
                    GRID,
                    ProgressListener.NONE);

            assertThat(replay.jobs()).extracting(JobOutcome::firstStart).containsExactlyInAnyOrder(0.0, 120.0);
            assertThat(free.jobs()).extracting(JobOutcome::firstStart).containsExactly(0.0, 0.0);
        }

        @Test
        void carryWhatWasSaidOfTheirDeadlines() {
            List<DeadlineStatus> deadlineStatuses = new ArrayList<>();
            Policy watching = new Renamed(problem -> {
                deadlineStatuses.add(problem.jobs().get(0).deadlineStatus());
                return allocations(problem, held -> held, 64);
            });
            TraceJob base = job("a", 0, 100);
            TraceJob urgent = new TraceJob("a", 0, "root", 500.0, 1, 100, base.truth(), base.viewModel());

            replay(trace(urgent), watching, GRID);

            assertThat(deadlineStatuses).containsExactly(DeadlineStatus.PENDING, DeadlineStatus.AT_RISK);
        }
    }

    @Nested
    class TheJudge {
        private final Policy wrong = new Renamed(problem -> allocations(problem, held -> "a100-0", 64));

        @Test
        void refusesWhatNoPolicyMayDo() {
            assertThatThrownBy(() -> replay(trace(job("a", 0, 10), job("b", 0, 10)), wrong, GRID))
                    .isInstanceOf(ReplayFailure.class)
                    .hasMessageContaining("is held by");
        }

        @Test
        void validatesEveryNthRoundIfConfigured() {
            Replay replay = replay(trace(job("a", 0, 600)), new FifoTestPolicy(false), GRID.withCheckEvery(4));

            assertThat(replay.rounds()).hasSize(10);
            assertThat(replay.validated()).isEqualTo(3);
        }
    }

    private static Replay replay(Trace trace, ReplaySettings settings) {
        return replay(trace, new FifoTestPolicy(true), settings);
    }

    private static Replay replay(Trace trace, Policy policy, ReplaySettings settings) {
        return Replayer.replay(trace, cluster(1, 1), policy, settings, ProgressListener.NONE);
    }

    private static JobOutcome outcome(Replay replay, String id) {
        return replay.jobs().stream()
                .filter(job -> job.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    /** Puts each job on the node that {@code next} names for the one it holds; on the first one at the start. */
    private static Policy moving(Function<String, String> next) {
        return new Renamed(problem -> allocations(problem, next, 64));
    }

    private static Map<String, Allocation> allocations(RoundProblem problem, Function<String, String> next, int batch) {
        Map<String, Allocation> allocations = new HashMap<>();
        for (Job job : problem.jobs()) {
            Allocation heldAllocation = job.allocation();
            String node = heldAllocation == null
                    ? "a100-0"
                    : next.apply(heldAllocation.placement().get(0).node());
            var known = problem.nodes().stream()
                    .filter(other -> other.id().equals(node))
                    .findFirst()
                    .orElseThrow();
            allocations.put(job.id(), FifoTestPolicy.on(known, List.of("0"), batch, problem.now()));
        }
        return allocations;
    }

    /** A policy in one expression. */
    private record Renamed(Function<RoundProblem, Map<String, Allocation>> allocations) implements Policy {
        @Override
        public String name() {
            return "test";
        }

        @Override
        public Decision decide(RoundProblem problem) {
            return Decision.of(problem, allocations.apply(problem), RoundMemory.EMPTY);
        }
    }
}
