package dev.spur.policies.elastic;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.JobFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.model.round.RoundProblem;
import dev.spur.policies.SlotFixture;
import dev.spur.policies.support.BatchRule;
import dev.spur.policies.support.NodePartition;
import dev.spur.policies.support.RoundView;
import dev.spur.solver.policy.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ElasticPoliciesTest {
    private static Map<String, Integer> slots(Policy policy, RoundProblem problem) {
        return SlotFixture.of(policy, problem);
    }

    private static JobFixture concave(String id, double power) {
        return SlotFixture.scaling(id, power);
    }

    /** Up to five jobs on one node, their speeds at random. */
    private static RoundProblem random(Random random, int nodeSlots) {
        ProblemFixture problem = problem().nodes(nodeSlots);
        int jobs = 1 + random.nextInt(5);
        for (int i = 0; i < jobs; i++) {
            double[] speeds = random.doubles(6, 50, 600).toArray();
            int min = 1 + random.nextInt(3);
            problem.job(job("j" + i)
                    .arrival(i)
                    .slots(min, min + random.nextInt(4))
                    .speeds(speeds)
                    .work(1e5 + random.nextInt(1_000_000)));
        }
        return problem.build();
    }

    private static double bestOf(List<List<KnapsackItem>> items, int job, int slots) {
        if (job == items.size()) {
            return 0;
        }
        double best = Double.NEGATIVE_INFINITY;
        for (KnapsackItem choice : items.get(job)) {
            if (choice.slots() <= slots) {
                best = Math.max(best, choice.value() + bestOf(items, job + 1, slots - choice.slots()));
            }
        }
        return best;
    }

    @Nested
    class TheKnapsack {
        @Test
        void equalsEnumeration() {
            Random random = new Random(1);
            for (int i = 0; i < 200; i++) {
                List<List<KnapsackItem>> items = new ArrayList<>();
                for (int j = 0; j < 1 + random.nextInt(5); j++) {
                    List<KnapsackItem> ownItems = new ArrayList<>(List.of(new KnapsackItem(0, 0)));
                    for (int c = 0; c < random.nextInt(6); c++) {
                        ownItems.add(new KnapsackItem(1 + random.nextInt(6), random.nextInt(100)));
                    }
                    items.add(ownItems);
                }
                int slots = random.nextInt(12);

                int[] chosen = MultipleChoiceKnapsack.solve(items, slots);

                assertThat(MultipleChoiceKnapsack.value(items, chosen)).isEqualTo(bestOf(items, 0, slots));
            }
        }

        @Test
        void findsNothingWhereNothingFits() {
            assertThat(MultipleChoiceKnapsack.solve(List.of(List.of(new KnapsackItem(3, 1))), 2))
                    .isEmpty();
        }
    }

    @Nested
    class TheProgramOfHu {
        private final EtaMip mip = new EtaMip("eta-mip", EtaMip.Form.PROGRESS);

        private double worth(RoundProblem problem, Policy policy) {
            RoundView view = RoundView.of(problem, BatchRule.USER);
            NodePartition partition = view.partitions().get(0);
            Map<String, Integer> slots = slots(policy, problem);
            double sum = 0;
            for (int j = 0; j < view.jobs(); j++) {
                int given = slots.getOrDefault(view.job(j).id(), 0);
                sum += given == 0 ? 0 : mip.gain(view, j, partition, given);
            }
            return sum;
        }

        private double bestByKnapsack(RoundProblem problem) {
            RoundView view = RoundView.of(problem, BatchRule.USER);
            NodePartition partition = view.partitions().get(0);
            List<List<KnapsackItem>> items = new ArrayList<>();
            for (int j = 0; j < view.jobs(); j++) {
                List<KnapsackItem> ownItems = new ArrayList<>(List.of(new KnapsackItem(0, 0)));
                for (int k : view.counts(j, partition)) {
                    ownItems.add(new KnapsackItem(k, mip.gain(view, j, partition, k)));
                }
                items.add(ownItems);
            }
            return MultipleChoiceKnapsack.value(items, MultipleChoiceKnapsack.solve(items, partition.slots()));
        }

        @Test
        void equalsTheKnapsackOnOneLaneAndBeatsTheGreedyAllocator() {
            Random random = new Random(2);
            for (int i = 0; i < 40; i++) {
                RoundProblem problem = random(random, 8);

                double worth = worth(problem, mip);

                assertThat(worth).isCloseTo(bestByKnapsack(problem), within(2e-4));
                assertThat(worth).isGreaterThanOrEqualTo(worth(problem, new EtaGreedy("g", false)) - 2e-4);
            }
        }

        @Test
        void isWorthNoLessOnALargerCluster() {
            Random random = new Random(3);
            for (int i = 0; i < 15; i++) {
                long seed = random.nextLong();
                double before = 0;
                for (int slots = 1; slots <= 10; slots += 3) {
                    double worth = worth(random(new Random(seed), slots), mip);
                    assertThat(worth).isGreaterThanOrEqualTo(before - 2e-4);
                    before = worth;
                }
            }
        }

        @Test
        void leavesAJobAloneIfTheRestartCostsMoreThanItGains() {
            ProblemFixture slow = problem().nodes(8).horizon(1200, 1);
            RoundProblem dear =
                    slow.job(concave("a", 0.1).restartPenalty(600).on("n1", 1)).build();
            RoundProblem cheap = problem()
                    .nodes(8)
                    .horizon(1200, 1)
                    .job(concave("a", 1).restartPenalty(60).on("n1", 1))
                    .build();

            assertThat(slots(mip, dear)).containsEntry("a", 1);
            assertThat(slots(mip, cheap)).containsEntry("a", 8);
        }

        @Test
        void theRemainingFormFavoursJobsCloseToTheirEnd() {
            RoundProblem problem = problem()
                    .nodes(1)
                    .jobs(
                            job("far").work(1e6).remaining(9e5).speeds(110),
                            job("near").work(1e6).remaining(1e5))
                    .build();

            assertThat(slots(mip, problem)).containsOnlyKeys("far");
            assertThat(slots(new EtaMip("r", EtaMip.Form.REMAINING), problem)).containsOnlyKeys("near");
        }
    }

    @Nested
    class TheFormsOfTheProgramOfHu {
        /** Of a job that does 10 samples/s at no cost of a start. */
        private double gain(EtaMip.Form form, double left) {
            return form.gain(10, 0, left, 10_000, 1000);
        }

        @Test
        void agreeOnAJobThatDoesNotEndUntilTheHorizon() {
            assertThat(gain(EtaMip.Form.PROGRESS, 10_000)).isEqualTo(1);
            assertThat(gain(EtaMip.Form.REMAINING, 10_000)).isEqualTo(1);
            assertThat(gain(EtaMip.Form.RATE, 10_000)).isEqualTo(1);
        }

        @Test
        void differOnAJobThatEndsSoon() {
            assertThat(gain(EtaMip.Form.PROGRESS, 100)).isEqualTo(0.01);
            assertThat(gain(EtaMip.Form.REMAINING, 100)).isEqualTo(1);
            // 100 of 10,000 samples in a hundredth of the horizon
            assertThat(gain(EtaMip.Form.RATE, 100)).isCloseTo(1, within(1e-9));
        }

        @Test
        void countStartsAsLost() {
            assertThat(EtaMip.Form.RATE.gain(10, 500, 10_000, 10_000, 1000)).isEqualTo(0.5);
            assertThat(EtaMip.Form.RATE.gain(10, 90, 100, 10_000, 1000)).isCloseTo(0.1, within(1e-9));
        }

        @Test
        void runAJobOfWhichAlmostNothingIsLeft() {
            RoundProblem problem =
                    problem().nodes(1).job(job("a").work(1e9).remaining(1e-3)).build();

            assertThat(slots(new EtaMip("p", EtaMip.Form.PROGRESS), problem)).containsOnlyKeys("a");
        }
    }

    @Nested
    class TheGreedyAllocator {
        @Test
        void givesAllTheirMostIfThatFits() {
            RoundProblem problem = problem()
                    .nodes(8)
                    .jobs(job("a").slots(1, 3), job("b").slots(1, 5))
                    .build();

            assertThat(slots(new EtaGreedy("g", false), problem)).isEqualTo(Map.of("a", 3, "b", 5));
        }

        @Test
        void growsTheLongestAfterTheFewest() {
            RoundProblem problem = problem()
                    .nodes(8)
                    .jobs(
                            job("short").slots(1, 8).work(1e5),
                            job("long").slots(1, 6).work(9e6))
                    .build();

            assertThat(slots(new EtaGreedy("g", false), problem)).isEqualTo(Map.of("short", 2, "long", 6));
        }

        @Test
        void queuesStrictlyByArrival() {
            RoundProblem problem = problem()
                    .nodes(4)
                    .jobs(job("a").arrival(1).slots(3), job("b").arrival(2).slots(2), job("c").arrival(3))
                    .build();

            assertThat(slots(new EtaGreedy("g", false), problem)).containsOnlyKeys("a");
            assertThat(slots(new EtaGreedy("g", true), problem)).containsOnlyKeys("a", "c");
        }
    }

    @Nested
    class TheElasticBatchScaler {
        /** Twice as fast at batch 256 as at 64. */
        private JobFixture batched(String id) {
            List<ProfilePoint> points = new ArrayList<>();
            for (int k = 1; k <= 8; k++) {
                points.add(ProfilePoint.allReduce("A100", k, 1, 64, 100 * Math.sqrt(k)));
                points.add(ProfilePoint.allReduce("A100", k, 1, 256, 200 * k));
            }
            return job(id).slots(1, 8)
                    .batch(new BatchLimits(64, 64, 256, 256, Map.of(), true))
                    .profile(new ThroughputProfile(points, List.of()));
        }

        @Test
        void choosesTheBatchSizeWithTheSlots() {
            RoundProblem problem =
                    problem().nodes(8).job(batched("a").powersOfTwo()).build();

            Allocation free = new BatchDp("b", BatchRule.BEST, false)
                    .decide(problem)
                    .allocations()
                    .get("a");
            Allocation fixed = new BatchDp("b", BatchRule.FIXED, false)
                    .decide(problem)
                    .allocations()
                    .get("a");

            assertThat(free.configuration().batchSize()).isEqualTo(256);
            assertThat(fixed.configuration().batchSize()).isEqualTo(64);
        }

        @Test
        void withFixedBatchesGivesNoSlotsThatDoNotHoldThem() {
            JobFixture large = job("a").slots(1, 8).batch(new BatchLimits(300, 100, 800, 100, Map.of(), false));
            RoundProblem problem = problem().nodes(2).job(large).build();

            assertThat(slots(new BatchDp("b", BatchRule.FIXED, false), problem)).isEmpty();
            assertThat(slots(new BatchDp("b", BatchRule.USER, false), problem)).containsEntry("a", 2);
        }

        @Test
        void letsEveryJobOfThePrefixRunIfItCutsTheQueue() {
            RoundProblem problem = problem()
                    .nodes(4)
                    .jobs(
                            concave("bad", -0.5).arrival(1).slots(2, 8),
                            concave("good", 1).arrival(2),
                            job("late").arrival(3).slots(4))
                    .build();

            assertThat(slots(new BatchDp("a", BatchRule.BEST, true), problem)).isEqualTo(Map.of("bad", 2, "good", 2));
            assertThat(slots(new BatchDp("b", BatchRule.BEST, false), problem)).doesNotContainKey("bad");
        }
    }

    @Nested
    class TurnByTurn {
        @Test
        void skippedJobsGetNothingBelowTheirFewest() {
            RoundProblem problem = problem()
                    .nodes(4)
                    .jobs(job("a").arrival(1).slots(3), job("b").arrival(2).slots(2, 4), job("c").arrival(3))
                    .build();

            assertThat(slots(new RoundRobin("f", RoundRobin.Order.ARRIVAL), problem))
                    .isEqualTo(Map.of("a", 3, "c", 1));
        }

        @Test
        void allJobsGrowByOneInTurn() {
            RoundProblem problem = problem()
                    .nodes(8)
                    .jobs(
                            job("a").arrival(1).slots(1, 8),
                            job("b").arrival(2).slots(1, 8),
                            job("c").arrival(3).slots(1, 2))
                    .build();

            assertThat(slots(new RoundRobin("f", RoundRobin.Order.ARRIVAL), problem))
                    .isEqualTo(Map.of("a", 3, "b", 3, "c", 2));
        }

        @Test
        void noJobGrowsBeyondItsFastestShape() {
            RoundProblem problem = problem()
                    .nodes(8)
                    .job(job("a").slots(1, 8).speeds(100, 180, 170, 160, 150, 140, 130, 120))
                    .build();

            assertThat(slots(new RoundRobin("f", RoundRobin.Order.ARRIVAL), problem))
                    .containsEntry("a", 2);
        }

        @Test
        void theShortestGoesFirst() {
            RoundProblem problem = problem()
                    .nodes(2)
                    .jobs(
                            job("long").arrival(1).slots(2).work(9e6),
                            job("short").arrival(2).slots(2))
                    .build();

            assertThat(slots(new RoundRobin("s", RoundRobin.Order.SHORTEST), problem))
                    .containsOnlyKeys("short");
        }
    }

    @Nested
    class AdaptiveShares {
        @Test
        void equalConcaveJobsDifferByAtMostOneSlot() {
            for (int total = 2; total <= 8; total++) {
                RoundProblem problem = problem()
                        .nodes(total)
                        .jobs(concave("a", 0.7), concave("b", 0.7))
                        .build();

                Map<String, Integer> slots = slots(new Afs(), problem);

                assertThat(Math.abs(slots.get("a") - slots.get("b"))).isLessThanOrEqualTo(1);
                assertThat(slots.get("a") + slots.get("b")).isEqualTo(total);
            }
        }

        @Test
        void aJobWithoutSlotsGoesBeforeAnotherStep() {
            RoundProblem problem = problem()
                    .nodes(2)
                    .jobs(concave("a", 0.9).work(1e4), concave("b", 0.5).work(1e7))
                    .build();

            assertThat(slots(new Afs(), problem)).isEqualTo(Map.of("a", 1, "b", 1));
        }

        @Test
        void aShortJobThatScalesBadlyLosesToALongOneThatScalesWell() {
            RoundProblem problem = problem()
                    .nodes(8)
                    .jobs(concave("short", 0.1).work(1e5), concave("long", 1).work(1e6))
                    .build();

            Map<String, Integer> slots = slots(new Afs(), problem);

            assertThat(slots.get("long")).isGreaterThan(slots.get("short"));
        }
    }
}
