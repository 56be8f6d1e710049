package dev.spur.model.validation;

import static dev.spur.model.JobFixture.job;
import static org.assertj.core.api.Assertions.assertThat;

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
import dev.spur.model.job.Synchronization;
import dev.spur.model.json.RoundJson;
import dev.spur.model.performance.SyncStrategy;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Two jobs with one aggregation slot each on n1, and eight shards each. A step takes 0.64 s. */
class AggregatorsCheckTest {
    private static final List<Integer> ALL = IntStream.range(0, 8).boxed().toList();
    private static final List<Integer> HALF = ALL.subList(0, 4);
    private static final Map<String, Allocation> RUNNING = Map.of("a", held(), "b", held());

    private static Allocation held() {
        var configuration = new Configuration("main", "A100", List.of(1), SyncStrategy.PARAMETER_SERVER, 1, 64, 0);
        return new Allocation(
                configuration,
                List.of(new NodeShare("n1", List.of("n1-0"))),
                List.of(new AggregationShare("n1", 1)),
                0);
    }

    private static List<String> rules(ProblemFixture problem, Aggregator... aggregators) {
        return AggregatorsCheck.violations(problem.build(), RUNNING, new AggregationLayout(Arrays.asList(aggregators)))
                .stream()
                .map(Violation::rule)
                .distinct()
                .toList();
    }

    /** Both jobs send so much that a slot is busy for {@code load} of a step with each of them. */
    private static ProblemFixture problem(Double load) {
        Double bytes = load == null ? null : load * 0.64 * 5e8;
        var servers = new Synchronization(false, true, 1, 1, bytes);
        return ProblemFixture.problem()
                .node(NodeFixture.node("n1", 4).aggregation(4))
                .node(NodeFixture.node("n2", 4).aggregation(4))
                .jobs(
                        job("a").served(1).synchronization(servers),
                        job("b").served(1).synchronization(servers));
    }

    private static Aggregator aggregator(String node, int number, double cpus, ShardAssignment... shardsByJob) {
        return new Aggregator(node, number, cpus, List.of(shardsByJob));
    }

    private static ShardAssignment jobShards(String job, List<Integer> shards) {
        return new ShardAssignment(job, shards);
    }

    @Test
    void oneAggregatorForBothIsRightIfTheyLoadItLittle() {
        assertThat(rules(problem(0.2), aggregator("n1", 0, 1, jobShards("a", ALL), jobShards("b", ALL))))
                .isEmpty();
    }

    @Test
    void everyShardIsAssignedOnce() {
        assertThat(rules(problem(0.2), aggregator("n1", 0, 1, jobShards("a", ALL), jobShards("b", HALF))))
                .containsExactly("everyShardIsAssignedOnce");
        assertThat(rules(
                        problem(0.2),
                        aggregator("n1", 0, 0.5, jobShards("a", ALL), jobShards("b", ALL)),
                        aggregator("n1", 1, 0.5, jobShards("b", HALF))))
                .containsExactly("everyShardIsAssignedOnce");
        assertThat(rules(
                        problem(0.2),
                        aggregator("n1", 0, 1, jobShards("a", ALL), jobShards("b", ALL), jobShards("gone", HALF))))
                .containsExactly("everyShardIsAssignedOnce");
    }

    @Test
    void aggregatorsUseAllocatedSlots() {
        assertThat(rules(
                        problem(0.2),
                        aggregator("n1", 0, 1, jobShards("a", ALL)),
                        aggregator("n1", 1, 1, jobShards("b", ALL))))
                .containsExactly("aggregatorsUseAllocatedSlots");
    }

    @Test
    void aggregatorsAreInThePool() {
        assertThat(rules(
                        problem(0.2),
                        aggregator("n1", 0, 1, jobShards("a", ALL)),
                        aggregator("n8", 0, 1, jobShards("b", ALL))))
                .containsExactly("aggregatorsUseAllocatedSlots", "aggregatorsAreInThePool");
    }

    @Test
    void whoSharesKeepsTheLimitOfUtilization() {
        var generous = new AggregationSettings(true, 0.9, 10, 10.0, 5e8);

        assertThat(rules(
                        problem(0.45).aggregation(generous),
                        aggregator("n1", 0, 1, jobShards("a", ALL), jobShards("b", ALL))))
                .isEmpty();
        assertThat(rules(
                        problem(0.46).aggregation(generous),
                        aggregator("n1", 0, 1, jobShards("a", ALL), jobShards("b", ALL))))
                .containsExactly("sharedAggregatorsStayWithinLimits");
    }

    @Test
    void whoSharesKeepsTheLimitOfLoss() {
        var lenient = new AggregationSettings(true, 0.9, 0.05, 1.0, 5e8);

        assertThat(rules(
                        problem(0.31).aggregation(lenient),
                        aggregator("n1", 0, 1, jobShards("a", ALL), jobShards("b", ALL))))
                .isEmpty();
        assertThat(rules(
                        problem(0.32).aggregation(lenient),
                        aggregator("n1", 0, 1, jobShards("a", ALL), jobShards("b", ALL))))
                .containsExactly("sharedAggregatorsStayWithinLimits");
    }

    @Test
    void whoSharesKeepsTheLimitOfTheMeanLoss() {
        var strictTogether = new AggregationSettings(true, 0.9, 1, 0.05, 5e8);

        assertThat(rules(
                        problem(0.31).aggregation(strictTogether),
                        aggregator("n1", 0, 1, jobShards("a", ALL), jobShards("b", ALL))))
                .isEmpty();
        assertThat(rules(
                        problem(0.32).aggregation(strictTogether),
                        aggregator("n1", 0, 1, jobShards("a", ALL), jobShards("b", ALL))))
                .containsExactly("sharedAggregatorsStayWithinLimits");
    }

    @Test
    void filesWithoutAMeanLossHaveTheLossThere() {
        assertThat(RoundJson.mapper()
                        .readValue(
                                "{\"shared\":true,\"utilization\":0.9,\"maxStallFraction\":0.03,\"bytesPerSecond\":5e8}",
                                AggregationSettings.class))
                .isEqualTo(new AggregationSettings(true, 0.9, 0.03, 0.03, 5e8));
    }

    @Test
    void jobsOfUnknownTrafficDoNotShare() {
        assertThat(rules(problem(null), aggregator("n1", 0, 1, jobShards("a", ALL), jobShards("b", ALL))))
                .containsExactly("sharedAggregatorsStayWithinLimits");
    }

    @Test
    void noJobSharesIfSharingIsDisabled() {
        assertThat(rules(
                        problem(0.1).aggregation(new AggregationSettings(false, 0.9, 0.05, 0.05, 5e8)),
                        aggregator("n1", 0, 1, jobShards("a", ALL), jobShards("b", ALL))))
                .containsExactly("sharedAggregatorsStayWithinLimits");
    }
}
