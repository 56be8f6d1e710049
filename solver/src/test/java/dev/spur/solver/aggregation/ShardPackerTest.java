package dev.spur.solver.aggregation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.spur.solver.aggregation.SharingLimits.Delay;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ShardPackerTest {
    private static final SharingLimits LOOSE = new SharingLimits(0.9, 10, 10, Delay.WORST);

    private static AggregationDemand demand(String job, double step, Double... shards) {
        return new AggregationDemand(job, step, List.of(shards));
    }

    private static ShardPacker.Result arrange(SharingLimits limits, AggregationDemand... demands) {
        return ShardPacker.arrange(ShardPlacement.NONE, List.of(demands), 100, limits);
    }

    @Nested
    class Demands {
        @Test
        void areBytesOfAllWorkersOverTheRateInEqualShards() {
            AggregationDemand demand = AggregationDemand.of("a", 2, 1e9, 4, 8e9, 2, 5);

            assertThat(demand.shardSeconds())
                    .hasSize(5)
                    .allSatisfy(seconds -> assertThat(seconds).isCloseTo(0.1, within(1e-12)));
            assertThat(demand.load()).isCloseTo(0.25, within(1e-12));
        }

        @Test
        void ofOneJobComeOnce() {
            assertThatThrownBy(() -> arrange(LOOSE, demand("a", 1, 0.1), demand("a", 1, 0.1)))
                    .hasMessageContaining("job a asks twice");
        }
    }

    @Nested
    class Slots {
        @Test
        void areSharedUpToTheLimitOfUtilization() {
            assertThat(arrange(LOOSE, demand("a", 1, 0.45), demand("b", 1, 0.45))
                            .sharingPlacement()
                            .usedSlots())
                    .isOne();
            assertThat(arrange(LOOSE, demand("a", 1, 0.45), demand("b", 1, 0.46))
                            .sharingPlacement()
                            .usedSlots())
                    .isEqualTo(2);
        }

        @Test
        void areSharedUpToTheLossOfNewcomers() {
            SharingLimits limits = new SharingLimits(0.9, 0.05, 1, Delay.WORST);

            assertThat(arrange(limits, demand("a", 10, 0.5), demand("b", 10, 0.5))
                            .sharingPlacement()
                            .usedSlots())
                    .isOne();
            assertThat(arrange(limits, demand("a", 100, 0.6), demand("b", 10, 0.5))
                            .sharingPlacement()
                            .usedSlots())
                    .as("b would wait 0.6 s in 10 s")
                    .isEqualTo(2);
        }

        @Test
        void areSharedUpToTheLossOfResidents() {
            SharingLimits limits = new SharingLimits(0.9, 0.05, 1, Delay.WORST);
            ShardPlacement previousPlacement =
                    arrange(limits, demand("quick", 1, 0.3)).sharingPlacement();

            ShardPacker.Result after = ShardPacker.arrange(
                    previousPlacement, List.of(demand("quick", 1, 0.3), demand("slow", 100, 0.06)), 100, limits);

            assertThat(after.sharingPlacement().usedSlots()).isEqualTo(2);
            assertThat(after.moved()).isZero();
        }

        @Test
        void areSharedUpToTheMeanLossOfThoseWhoWait() {
            SharingLimits limits = new SharingLimits(0.9, 1, 0.05, Delay.WORST);

            assertThat(arrange(limits, demand("quick", 1, 0.04), demand("slow", 10, 0.4))
                            .sharingPlacement()
                            .usedSlots())
                    .as("quick waits 40 % of its step, slow next to nothing")
                    .isEqualTo(2);
            assertThat(arrange(limits, demand("quick", 1, 0.04), demand("slow", 10, 0.09), demand("alone", 1, 0.9))
                            .sharingPlacement()
                            .usedSlots())
                    .as("quick waits 9 %, slow 0.4 %: 4.7 % on average")
                    .isEqualTo(2);
        }

        @Test
        void areGivenUpWhenOthersCanMakeRoom() {
            SharingLimits limits = new SharingLimits(0.9, 10, 10, Delay.EXPECTED);
            List<AggregationDemand> demands = List.of(
                    demand("a", 1, 0.4),
                    demand("b", 1, 0.2),
                    demand("c", 1, 0.55),
                    demand("d", 1, 0.1),
                    demand("e", 1, 0.45));
            // there is room for e beside a once b has gone to c and d
            ShardPlacement previousPlacement = new ShardPlacement(
                    Map.of("a", List.of(0), "b", List.of(0), "c", List.of(1), "d", List.of(1), "e", List.of(2)));

            ShardPacker.Result after = ShardPacker.arrange(previousPlacement, demands, 100, limits);

            assertThat(after.sharingPlacement().usedSlots()).isEqualTo(2);
            assertThat(after.moved()).isEqualTo(2);
        }

        @Test
        void areKeptWhereTooManyShardsWouldHaveToMove() {
            assertThat(whenShardsAreHalfOfASlot(64)).isEqualTo(1);
            assertThat(whenShardsAreHalfOfASlot(65)).isEqualTo(2);
        }

        private int whenShardsAreHalfOfASlot(int shards) {
            List<AggregationDemand> two = List.of(
                    new AggregationDemand("a", 1, Collections.nCopies(shards, 0.44 / shards)),
                    new AggregationDemand("b", 1, Collections.nCopies(shards, 0.45 / shards)));
            ShardPlacement previousPlacement = new ShardPlacement(
                    Map.of("a", Collections.nCopies(shards, 0), "b", Collections.nCopies(shards, 1)));
            return ShardPacker.arrange(previousPlacement, two, 100, LOOSE)
                    .sharingPlacement()
                    .usedSlots();
        }

        @Test
        void areSharedByChanceWhereTheExpectedWaitCounts() {
            SharingLimits limits = new SharingLimits(0.9, 0.05, 1, Delay.EXPECTED);
            ShardPacker.Result both = arrange(limits, demand("a", 1, 0.3), demand("b", 1, 0.3));

            assertThat(both.sharingPlacement().usedSlots()).isOne();
            assertThat(both.worstLoss().get("a")).isCloseTo(0.3 * 0.3 / 2, within(1e-12));
            assertThat(arrange(limits, demand("a", 1, 0.32), demand("b", 1, 0.3))
                            .sharingPlacement()
                            .usedSlots())
                    .isEqualTo(2);
        }

        @Test
        void areNotSharedIfNoLossIsAllowed() {
            SharingLimits limits = new SharingLimits(0.9, 0, 1, Delay.EXPECTED);

            ShardPacker.Result dedicated = arrange(limits, demand("a", 1, 0.1, 0.1), demand("b", 1, 0.1, 0.1));

            assertThat(dedicated.sharingPlacement().usedSlots()).isEqualTo(2);
            assertThat(dedicated.worstLoss().values()).containsOnly(0.0);
        }

        @Test
        void areGivenUpWhenWhatIsLeftFitsElsewhere() {
            List<AggregationDemand> four = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                four.add(demand("j" + i, 1, 0.3));
            }
            ShardPacker.Result before = ShardPacker.arrange(ShardPlacement.NONE, four, 100, LOOSE);
            assertThat(before.sharingPlacement().usedSlots()).isEqualTo(2);

            ShardPacker.Result after = ShardPacker.arrange(before.sharingPlacement(), four.subList(1, 4), 100, LOOSE);

            assertThat(after.sharingPlacement().usedSlots()).isOne();
            assertThat(after.moved()).isOne();
        }

        @Test
        void areNotLeftForBetterOnesAsLongAsLimitsHold() {
            List<AggregationDemand> known = List.of(demand("a", 1, 0.5), demand("b", 1, 0.5));
            ShardPlacement previousPlacement =
                    ShardPacker.arrange(ShardPlacement.NONE, known, 100, LOOSE).sharingPlacement();
            List<AggregationDemand> more = new ArrayList<>(known);
            more.add(demand("c", 1, 0.4));

            ShardPacker.Result after = ShardPacker.arrange(previousPlacement, more, 100, LOOSE);

            assertThat(after.moved()).isZero();
            assertThat(after.sharingPlacement().slots()).containsAllEntriesOf(previousPlacement.slots());
        }

        @Test
        void areLeftWhenADemandHasGrown() {
            ShardPlacement previousPlacement =
                    arrange(LOOSE, demand("a", 1, 0.4), demand("b", 1, 0.4)).sharingPlacement();

            ShardPacker.Result after = ShardPacker.arrange(
                    previousPlacement, List.of(demand("a", 1, 0.4), demand("b", 1, 0.8)), 100, LOOSE);

            assertThat(after.sharingPlacement().usedSlots()).isEqualTo(2);
            assertThat(after.moved()).isOne();
        }

        @Test
        void thatRunOutRefuseWholeJobs() {
            ShardPacker.Result result = ShardPacker.arrange(
                    ShardPlacement.NONE, List.of(demand("a", 1, 0.8), demand("b", 1, 0.7, 0.7)), 2, LOOSE);

            assertThat(result.rejected()).containsExactly("b");
            assertThat(result.sharingPlacement().slots()).containsOnlyKeys("a");
        }

        @Test
        void cannotHoldAShardLargerThanOne() {
            assertThat(arrange(LOOSE, demand("a", 1, 0.95)).rejected()).containsExactly("a");
        }
    }

    @Nested
    class OnManyRandomClusters {
        private static final int SEEDS = 1_000;

        @Test
        void everyShardLiesOnOneSlotAndLimitsHoldAfterEachArrivalAndExit() {
            for (int seed = 0; seed < SEEDS; seed++) {
                SplittableRandom random = new SplittableRandom(seed);
                SharingLimits limits = limits(random);
                List<AggregationDemand> active = new ArrayList<>();
                ShardPlacement sharingPlacement = ShardPlacement.NONE;
                for (int event = 0; event < 12; event++) {
                    if (!active.isEmpty() && random.nextInt(3) == 0) {
                        active.remove(random.nextInt(active.size()));
                    } else {
                        active.add(random(random, "j" + event, 4));
                    }
                    ShardPacker.Result result = ShardPacker.arrange(sharingPlacement, active, 6, limits);
                    assertHolds(active, result, limits, 6);
                    sharingPlacement = result.sharingPlacement();
                    assertThat(sharingPlacement.usedSlots())
                            .isGreaterThanOrEqualTo(ShardPacker.lowerBound(
                                    active.stream()
                                            .filter(d -> !result.rejected().contains(d.job()))
                                            .toList(),
                                    limits));
                }
            }
        }

        @Test
        void aJobThatComesAndGoesGivesItsSlotsBack() {
            for (int seed = 0; seed < SEEDS; seed++) {
                SplittableRandom random = new SplittableRandom(seed);
                SharingLimits limits = limits(random);
                List<AggregationDemand> some = List.of(random(random, "a", 3), random(random, "b", 3));
                ShardPlacement previousPlacement = ShardPacker.arrange(ShardPlacement.NONE, some, 50, limits)
                        .sharingPlacement();
                List<AggregationDemand> more = new ArrayList<>(some);
                more.add(random(random, "guest", 3));

                ShardPlacement with =
                        ShardPacker.arrange(previousPlacement, more, 50, limits).sharingPlacement();
                ShardPlacement after =
                        ShardPacker.arrange(with, some, 50, limits).sharingPlacement();

                assertThat(after.usedSlots()).isLessThanOrEqualTo(previousPlacement.usedSlots());
            }
        }

        @Test
        void noMoreThanOneSlotAboveTheFewestOfSmallCases() {
            for (int seed = 0; seed < 300; seed++) {
                SplittableRandom random = new SplittableRandom(seed);
                SharingLimits limits = limits(random);
                List<AggregationDemand> few =
                        List.of(random(random, "a", 2), random(random, "b", 2), random(random, "c", 1));

                int used = ShardPacker.arrange(ShardPlacement.NONE, few, 10, limits)
                        .sharingPlacement()
                        .usedSlots();

                assertThat(used).as("seed %d", seed).isBetween(fewest(few, limits), fewest(few, limits) + 1);
            }
        }

        private static SharingLimits limits(SplittableRandom random) {
            return new SharingLimits(
                    random.nextDouble(0.5, 1),
                    random.nextDouble(0, 0.3),
                    random.nextDouble(0, 0.2),
                    random.nextBoolean() ? Delay.EXPECTED : Delay.WORST);
        }

        private static AggregationDemand random(SplittableRandom random, String job, int mostShards) {
            double step = random.nextDouble(0.2, 2);
            return new AggregationDemand(
                    job,
                    step,
                    random.doubles(random.nextInt(1, mostShards + 1), 0.01, 0.45)
                            .map(load -> load * step)
                            .boxed()
                            .toList());
        }

        /** The fewest slots over all ways to lay the shards out. */
        private static int fewest(List<AggregationDemand> demands, SharingLimits limits) {
            int shards = demands.stream().mapToInt(d -> d.shardSeconds().size()).sum();
            int best = Integer.MAX_VALUE;
            for (int code = 0; code < Math.pow(shards, shards); code++) {
                int rest = code;
                Map<String, List<Integer>> layout = new HashMap<>();
                for (AggregationDemand demand : demands) {
                    List<Integer> own = new ArrayList<>();
                    for (int s = 0; s < demand.shardSeconds().size(); s++) {
                        own.add(rest % shards);
                        rest /= shards;
                    }
                    layout.put(demand.job(), own);
                }
                ShardPlacement sharingPlacement = new ShardPlacement(layout);
                if (sharingPlacement.usedSlots() < best
                        && violations(demands, sharingPlacement, limits).isEmpty()) {
                    best = sharingPlacement.usedSlots();
                }
            }
            return best;
        }
    }

    private static void assertHolds(
            List<AggregationDemand> demands, ShardPacker.Result result, SharingLimits limits, int maxSlots) {
        for (AggregationDemand demand : demands) {
            List<Integer> own = result.sharingPlacement().slots().get(demand.job());
            assertThat(own == null).isEqualTo(result.rejected().contains(demand.job()));
            if (own != null) {
                assertThat(own).hasSameSizeAs(demand.shardSeconds()).allMatch(slot -> slot >= 0 && slot < maxSlots);
            }
        }
        assertThat(violations(demands, result.sharingPlacement(), limits)).isEmpty();
        assertThat(result.worstLoss().values()).allMatch(loss -> loss <= limits.maxStallFraction() + 1e-6);
    }

    /** The limits once more, by their definition. */
    private static List<String> violations(
            List<AggregationDemand> demands, ShardPlacement sharingPlacement, SharingLimits limits) {
        List<String> found = new ArrayList<>();
        Map<Integer, Map<AggregationDemand, Double>> busy = new HashMap<>();
        for (AggregationDemand demand : demands) {
            List<Integer> own = sharingPlacement.slots().getOrDefault(demand.job(), Collections.emptyList());
            for (int s = 0; s < own.size(); s++) {
                busy.computeIfAbsent(own.get(s), slot -> new HashMap<>())
                        .merge(demand, demand.shardSeconds().get(s), Double::sum);
            }
        }
        Map<String, Double> worst = new HashMap<>();
        busy.forEach((slot, residents) -> {
            double utilization = residents.entrySet().stream()
                    .mapToDouble(e -> e.getValue() / e.getKey().stepSeconds())
                    .sum();
            if (utilization > limits.utilization() + 1e-6) {
                found.add("slot %d is busy for %s".formatted(slot, utilization));
            }
            residents.forEach((job, own) -> {
                double wait = 0;
                for (Map.Entry<AggregationDemand, Double> other : residents.entrySet()) {
                    double burst = other.getValue();
                    boolean byBurst = limits.delay() == Delay.WORST;
                    wait += other.getKey().equals(job)
                            ? 0
                            : byBurst ? burst : burst / other.getKey().stepSeconds() * burst / 2;
                }
                worst.merge(job.job(), wait / job.stepSeconds(), Math::max);
                if (wait / job.stepSeconds() > limits.maxStallFraction() + 1e-6) {
                    found.add("%s loses %s on slot %d".formatted(job.job(), wait / job.stepSeconds(), slot));
                }
            });
        });
        double mean = worst.values().stream()
                .mapToDouble(Double::doubleValue)
                .filter(loss -> loss > 0)
                .average()
                .orElse(0);
        if (mean > limits.meanStallFraction() + 1e-6) {
            found.add("jobs lose %s on average".formatted(mean));
        }
        return found;
    }
}
