package dev.spur.policies.determined;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.ProblemFixture;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.tenant.Tenant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class DeterminedTest {
    @Nested
    class ByPriority {
        private Set<String> running(RoundProblem problem) {
            return new PriorityScheduler().decide(problem).allocations().keySet();
        }

        @Test
        void aHigherPriorityTakesTheSlotsOfALowerOne() {
            RoundProblem problem = problem()
                    .nodes(4)
                    .jobs(job("low").slots(4).on("n1", 4), job("high").slots(2).priority(1))
                    .build();

            assertThat(running(problem)).containsExactly("high");
        }

        @Test
        void theLastInTheQueueIsStoppedFirst() {
            RoundProblem problem = problem()
                    .nodes(4)
                    .jobs(
                            job("early").arrival(1).slots(2).on("n1", 0, 2),
                            job("late").arrival(2).slots(2).on("n1", 2, 2),
                            job("high").arrival(3).slots(2).priority(1))
                    .build();

            assertThat(running(problem)).containsExactlyInAnyOrder("early", "high");
        }

        @Test
        void amongEqualsOnlyThoseBehindAreStopped() {
            RoundProblem problem = problem()
                    .nodes(4)
                    .jobs(
                            job("running").arrival(1).slots(4).on("n1", 4),
                            job("waiting").arrival(2).slots(4))
                    .build();
            RoundProblem reversed = problem()
                    .nodes(4)
                    .jobs(
                            job("waiting").arrival(1).slots(4),
                            job("running").arrival(2).slots(4).on("n1", 4))
                    .build();

            assertThat(running(problem)).containsExactly("running");
            assertThat(running(reversed)).containsExactly("waiting");
        }

        @Test
        void noJobIsPreemptedForAJobThatNeverFits() {
            RoundProblem problem = problem()
                    .nodes(4)
                    .jobs(job("low").slots(2).on("n1", 2), job("huge").slots(5).priority(1))
                    .build();

            assertThat(running(problem)).containsExactly("low");
        }

        @Test
        void aLowerPriorityStartsBeforeAHigherOneOnlyToFillAGap() {
            RoundProblem problem = problem()
                    .nodes(4)
                    .jobs(
                            job("running").slots(3).notPreemptible().on("n1", 3),
                            job("high").slots(2).priority(1),
                            job("filler"),
                            job("stubborn").notPreemptible())
                    .build();

            assertThat(running(problem)).containsExactlyInAnyOrder("running", "filler");
        }

        @Test
        void noLowerPriorityStartsAfterAPreemption() {
            RoundProblem problem = problem()
                    .nodes(4)
                    .jobs(
                            job("victim").arrival(1).slots(3).on("n1", 3),
                            job("high").arrival(2).slots(2).priority(1),
                            job("low").arrival(3).priority(-1))
                    .build();

            assertThat(running(problem)).containsExactly("high");
        }
    }

    @Nested
    class ByFairShare {
        private final FairShareScheduler fairShare = new FairShareScheduler();

        private ProblemFixture tenants(double a, double b) {
            return problem()
                    .nodes(2, 2, 2)
                    .tenant(new Tenant("a", "root", a, Map.of()))
                    .tenant(new Tenant("b", "root", b, Map.of()));
        }

        private long runningOf(RoundProblem problem, String tenant) {
            Set<String> running = fairShare.decide(problem).allocations().keySet();
            return problem.jobs().stream()
                    .filter(job -> job.tenant().equals(tenant) && running.contains(job.id()))
                    .count();
        }

        private RoundProblem sixEach(double a, double b) {
            ProblemFixture problem = tenants(a, b);
            for (int i = 0; i < 6; i++) {
                problem.jobs(job("a" + i).tenant("a"), job("b" + i).tenant("b"));
            }
            return problem.build();
        }

        @Test
        void equalWeightsGetEqualShares() {
            assertThat(runningOf(sixEach(1, 1), "a")).isEqualTo(3);
            assertThat(runningOf(sixEach(1, 1), "b")).isEqualTo(3);
        }

        @Test
        void twiceTheWeightGetsTwiceAsMuch() {
            assertThat(runningOf(sixEach(2, 1), "a")).isEqualTo(4);
            assertThat(runningOf(sixEach(2, 1), "b")).isEqualTo(2);
        }

        @Test
        void ofTwoGangsThatBlockEachOtherTheOlderRuns() {
            RoundProblem problem = tenants(1, 1)
                    .jobs(
                            job("old").tenant("a").arrival(1).slots(4),
                            job("young").tenant("b").arrival(2).slots(4))
                    .build();

            assertThat(fairShare.decide(problem).allocations()).containsOnlyKeys("old");
        }

        @Test
        void whoHoldsTooMuchStopsTheLastToArrive() {
            ProblemFixture problem = tenants(1, 1);
            for (int i = 0; i < 6; i++) {
                problem.job(job("a" + i).tenant("a").arrival(i).on("n" + (1 + i / 2), i % 2, 1));
            }
            problem.jobs(job("b0").tenant("b"), job("b1").tenant("b"));

            assertThat(fairShare.decide(problem.build()).allocations())
                    .containsOnlyKeys("a0", "a1", "a2", "a3", "b0", "b1");
        }

        @Test
        void offersNeverExceedTheSlots() {
            Random random = new Random(7);
            for (int i = 0; i < 200; i++) {
                List<FairShareGroup> groups = random.ints(1 + random.nextInt(5), 1, 9)
                        .mapToObj(demand -> {
                            FairShareGroup group = new FairShareGroup(1 + random.nextInt(3), random.nextInt(100));
                            for (int left = demand; left > 0; left -= 1 + demand / 3) {
                                group.add(left, Math.min(left, 1 + demand / 3), false, false, true);
                            }
                            return group;
                        })
                        .toList();
                int slots = random.nextInt(20);

                MaxMinAllocation.make(groups, slots);

                assertThat(groups.stream()
                                .mapToInt(FairShareGroup::offeredSlots)
                                .sum())
                        .isLessThanOrEqualTo(slots);
                assertThat(groups).allMatch(group -> group.offeredSlots() <= group.demand());
            }
        }
    }
}
