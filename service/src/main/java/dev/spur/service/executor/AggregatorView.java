package dev.spur.service.executor;

import dev.spur.service.aggregation.JobShards;
import dev.spur.service.aggregation.StoredAggregator;
import dev.spur.service.executor.AssignmentReader.DesiredStateSnapshot;
import java.util.List;

/** An aggregator that an executor must run. Members as in the contract. */
record AggregatorView(int number, int port, double cpus, List<JobShards> shardsByJob) {
    /** The aggregators of a node. */
    static List<AggregatorView> on(String node, DesiredStateSnapshot news) {
        return news.aggregators().stream()
                .filter(stored -> stored.node().equals(node))
                .map(AggregatorView::of)
                .toList();
    }

    private static AggregatorView of(StoredAggregator stored) {
        return new AggregatorView(
                stored.number(), stored.port(), stored.cpus(), stored.all().toList());
    }
}
