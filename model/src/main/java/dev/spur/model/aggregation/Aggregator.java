package dev.spur.model.aggregation;

import dev.spur.model.Checks;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A process that sums the gradients of one or several jobs.
 *
 * @param node the node on which it runs
 * @param number its number on that node, from 0; constant while any shard is assigned to it
 * @param cpus its aggregation slots, above 0 and up to 1
 * @param shardsByJob shards assigned to it, by job id, at least one entry
 */
public record Aggregator(String node, int number, double cpus, List<ShardAssignment> shardsByJob) {
    public Aggregator {
        Checks.nonBlank("node", node);
        Checks.atLeast("number", number, 0);
        Checks.positive("cpus", cpus);
        Checks.require(cpus <= 1, "cpus (%s) must be at most 1", cpus);
        shardsByJob = Checks.copy(shardsByJob);
        Checks.require(!shardsByJob.isEmpty(), "aggregator %s of node %s has no shard", number, node);
        Set<String> jobs = new HashSet<>();
        for (ShardAssignment jobShards : shardsByJob) {
            Checks.require(jobs.add(jobShards.jobId()), "job %s appears twice on one aggregator", jobShards.jobId());
        }
    }

    /** Returns the aggregation slots in thousandths. */
    public long thousandths() {
        return Math.round(cpus * 1000);
    }
}
