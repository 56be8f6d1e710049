package dev.spur.solver.aggregation;

import static dev.spur.model.JobFixture.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.JobFixture;
import dev.spur.model.NodeFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.aggregation.AggregationLayout;
import dev.spur.model.aggregation.AggregationSettings;
import dev.spur.model.aggregation.Aggregator;
import dev.spur.model.aggregation.ShardAssignment;
import dev.spur.model.allocation.AggregationShare;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.job.Synchronization;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.validation.AggregatorsCheck;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class AggregatorPlannerTest {
    /** A step takes 0.64 s: 64 samples at 100 samples/s. A slot sums so much in a step. */
    private static final double BYTES_PER_STEP = 0.64 * AggregationSettings.DEFAULT.bytesPerSecond();

    private final Map<String, Allocation> runningAllocations = new HashMap<>();
    private final List<JobFixture> jobs = new ArrayList<>();

    /**
     * A job of one worker with {@code slots} aggregation slots on each of the nodes, all of which it keeps busy for
     * {@code load}.
     */
    private static JobFixture served(String id, double slots, Double load) {
        Double bytes = load == null ? null : load * BYTES_PER_STEP;
        return job(id).served(slots).synchronization(new Synchronization(false, true, slots, slots, bytes));
    }

    private static Allocation allocation(AggregationShare... shares) {
        long slots = List.of(shares).stream()
                .mapToLong(AggregationShare::thousandths)
                .sum();
        var configuration =
                new Configuration("main", "A100", List.of(1), SyncStrategy.PARAMETER_SERVER, slots / 1000.0, 64, 0);
        return new Allocation(configuration, List.of(new NodeShare("n1", List.of("n1-0"))), List.of(shares), 0);
    }

    private void runs(String id, Double load, AggregationShare... shares) {
        Allocation heldAllocation = allocation(shares);
        jobs.add(served(id, heldAllocation.configuration().aggregationSlots(), load));
        runningAllocations.put(id, heldAllocation);
    }

    private static AggregationShare share(String node, double slots) {
        return new AggregationShare(node, slots);
    }

    private ProblemFixture problem() {
        ProblemFixture problem = ProblemFixture.problem();
        for (String node : List.of("n1", "n2", "n3")) {
            problem.node(NodeFixture.node(node, 4).aggregation(8));
        }
        return problem.jobs(jobs.toArray(JobFixture[]::new));
    }

    private AggregationLayout plan(RoundProblem problem, AggregationLayout previousLayout) {
        AggregationLayout layout = AggregatorPlanner.plan(problem, runningAllocations, previousLayout);
        assertThat(AggregatorsCheck.violations(problem, runningAllocations, layout))
                .isEmpty();
        return layout;
    }

    private AggregationLayout plan() {
        return plan(problem().build(), AggregationLayout.NONE);
    }

    private static List<List<String>> jobsOf(AggregationLayout layout) {
        return layout.aggregators().stream()
                .map(a -> a.shardsByJob().stream().map(ShardAssignment::jobId).toList())
                .toList();
    }

    @Nested
    class WhoShares {
        @Test
        void meetsOthersOnFewerAggregatorsThanTheyHoldTogether() {
            runs("a", 0.1, share("n1", 1));
            runs("b", 0.1, share("n2", 1));
            runs("c", 0.1, share("n2", 1));

            AggregationLayout layout = plan();

            assertThat(jobsOf(layout)).containsExactly(List.of("a", "b", "c"));
            assertThat(layout.slots()).isEqualTo(1);
        }

        @Test
        void isExpectedToWaitNoLongerThanTheLimit() {
            runs("a", 0.4, share("n1", 1));
            runs("b", 0.4, share("n1", 1));
            RoundProblem problem = problem().build();

            AggregationLayout layout = plan(problem, AggregationLayout.NONE);

            assertThat(layout.aggregators()).hasSize(2);
            assertThat(new ExpectedAggregationLoad(problem).losses(layout, runningAllocations))
                    .isEmpty();
        }

        @Test
        void getsAggregatorsOfItsOwnIfItFindsNoRoom() {
            runs("a", 0.1, share("n1", 1));
            runs("heavy", 3.0, share("n1", 1));
            runs("b", 0.1, share("n2", 1));

            assertThat(jobsOf(plan())).containsExactlyInAnyOrder(List.of("a", "b"), List.of("heavy"));
        }

        @Test
        void usesPartsOfASlotForWhatTheyAre() {
            runs("a", 0.02, share("n1", 0.25));
            runs("b", 0.02, share("n1", 0.25));
            RoundProblem problem = problem().build();

            AggregationLayout layout = plan(problem, AggregationLayout.NONE);

            assertThat(layout.aggregators()).hasSize(1).allSatisfy(a -> {
                assertThat(a.cpus()).isEqualTo(0.25);
                assertThat(new ExpectedAggregationLoad(problem)
                                .utilization(a, runningAllocations)
                                .orElseThrow())
                        .isCloseTo(0.16, within(1e-9));
            });
        }
    }

    @Nested
    class AJobHasAggregatorsOfItsOwn {
        @Test
        void ifItDoesNotSayWhatItSends() {
            runs("a", null, share("n1", 1.5), share("n2", 1));
            runs("b", 0.1, share("n1", 1));

            assertThat(plan().aggregators())
                    .filteredOn(a -> a.shardsByJob().get(0).jobId().equals("a"))
                    .hasSize(3)
                    .allMatch(a -> a.shardsByJob().size() == 1)
                    .extracting(
                            Aggregator::node,
                            Aggregator::cpus,
                            a -> a.shardsByJob().get(0).shards().size())
                    .containsExactly(
                            org.assertj.core.groups.Tuple.tuple("n1", 1.0, 8),
                            org.assertj.core.groups.Tuple.tuple("n1", 0.5, 4),
                            org.assertj.core.groups.Tuple.tuple("n2", 1.0, 8));
        }

        @Test
        void ifSharingIsDisabled() {
            runs("a", 0.1, share("n1", 1));
            runs("b", 0.1, share("n1", 1));
            RoundProblem problem = problem()
                    .aggregation(new AggregationSettings(false, 0.9, 0.05, 0.05, 5e8))
                    .build();

            assertThat(jobsOf(plan(problem, AggregationLayout.NONE))).containsExactly(List.of("a"), List.of("b"));
        }

        @Test
        void ifItsNodeIsToBeLeft() {
            runs("a", 0.1, share("n1", 1));
            runs("b", 0.1, share("n9", 1));
            RoundProblem problem = problem()
                    .node(NodeFixture.node("n9", 4).aggregation(8).state(NodeState.DRAINING))
                    .build();

            assertThat(jobsOf(plan(problem, AggregationLayout.NONE))).containsExactly(List.of("a"), List.of("b"));
        }
    }

    @Nested
    class BetweenRounds {
        @Test
        void nothingMovesIfNothingHasChanged() {
            runs("a", 0.3, share("n1", 2.5));
            runs("b", 0.2, share("n2", 1));
            runs("c", null, share("n1", 1.2));
            AggregationLayout previousLayout = plan();

            assertThat(plan(problem().build(), previousLayout)).isEqualTo(previousLayout);
        }

        @Test
        void anArrivalMovesNoAggregator() {
            runs("a", 0.3, share("n1", 1));
            runs("b", 0.2, share("n2", 1));
            AggregationLayout previousLayout = plan();
            runs("c", 0.4, share("n3", 1));

            AggregationLayout after = plan(problem().build(), previousLayout);

            assertThat(moved(previousLayout, after)).isZero();
        }

        @Test
        void anAggregatorIsFreedWhenOthersCanTakeWhatIsLeft() {
            runs("a", 0.28, share("n1", 1));
            runs("b", 0.28, share("n2", 1));
            runs("c", 0.28, share("n3", 1));
            AggregationLayout previousLayout = plan();
            runningAllocations.remove("c");
            AggregationLayout after = plan(problem().build(), previousLayout);

            assertThat(previousLayout.aggregators()).hasSizeGreaterThan(1);
            assertThat(after.aggregators()).hasSize(1);
        }

        @Test
        void whatLiesOnANodeOnWhichNothingIsHeldAnyMoreMoves() {
            runs("a", 0.3, share("n1", 1));
            runs("b", 0.1, share("n2", 1));
            AggregationLayout previousLayout = plan();
            String node = previousLayout.aggregators().get(0).node();
            runningAllocations.remove(node.equals("n1") ? "a" : "b");

            assertThat(plan(problem().build(), previousLayout).aggregators())
                    .extracting(Aggregator::node)
                    .doesNotContain(node);
        }
    }

    @Nested
    class OnManyRandomClusters {
        private static final int SEEDS = 1_000;

        @Test
        void everyLayoutIsRightAfterEachArrivalAndExit() {
            int shared = 0;
            int freed = 0;
            for (int seed = 0; seed < SEEDS; seed++) {
                SplittableRandom random = new SplittableRandom(seed);
                runningAllocations.clear();
                jobs.clear();
                AggregationLayout layout = AggregationLayout.NONE;
                for (int event = 0; event < 8; event++) {
                    if (runningAllocations.size() > 2 && random.nextInt(3) == 0) {
                        runningAllocations.remove(
                                runningAllocations.keySet().iterator().next());
                    } else {
                        arrive("j" + event, random);
                    }
                    RoundProblem problem = problem()
                            .aggregation(settings(new SplittableRandom(seed)))
                            .build();
                    layout = AggregatorPlanner.plan(problem, runningAllocations, layout);
                    assertThat(AggregatorsCheck.violations(problem, runningAllocations, layout))
                            .as("seed %d, event %d", seed, event)
                            .isEmpty();
                    shared += (int) layout.aggregators().stream()
                            .filter(a -> a.shardsByJob().size() > 1)
                            .count();
                    freed += layout.slots() < held() - 1e-6 ? 1 : 0;
                }
            }
            assertThat(shared).isGreaterThan(SEEDS);
            assertThat(freed).isGreaterThan(SEEDS);
        }

        private void arrive(String id, SplittableRandom random) {
            Double load = random.nextInt(5) == 0 ? null : (Double) random.nextDouble(0.02, 1.2);
            double slots = random.nextInt(1, 2500) / 1000.0;
            AggregationShare first = share("n" + random.nextInt(1, 3), slots);
            if (random.nextBoolean()) {
                runs(id, load, first);
            } else {
                runs(id, load, first, share("n3", random.nextInt(1, 1500) / 1000.0));
            }
        }

        private static AggregationSettings settings(SplittableRandom random) {
            return new AggregationSettings(
                    random.nextInt(10) > 0,
                    random.nextDouble(0.5, 1),
                    random.nextDouble(0, 0.2),
                    random.nextDouble(0, 0.1),
                    5e8);
        }

        private double held() {
            return runningAllocations.values().stream()
                    .mapToDouble(
                            heldAllocation -> heldAllocation.configuration().aggregationSlots())
                    .sum();
        }
    }

    private static long moved(AggregationLayout previousLayout, AggregationLayout after) {
        Map<String, String> places = places(after);
        return places(previousLayout).entrySet().stream()
                .filter(shard ->
                        !places.getOrDefault(shard.getKey(), shard.getValue()).equals(shard.getValue()))
                .count();
    }

    /** By job and shard the aggregator. */
    private static Map<String, String> places(AggregationLayout layout) {
        return layout.aggregators().stream()
                .flatMap(a -> a.shardsByJob().stream()
                        .flatMap(p -> p.shards().stream()
                                .map(s -> Map.entry(p.jobId() + "/" + s, a.node() + "/" + a.number()))))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }
}
