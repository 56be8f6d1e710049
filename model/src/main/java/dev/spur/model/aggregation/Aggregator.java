package dev.spur.model.aggregation;

import dev.spur.model.Checks;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A process that sums gradients, for one job or for several.
 *
 * @param node the node on which it runs
 * @param number which of the aggregators of that node it is, from 0 on; stays while anything lies on it
 * @param cpus aggregation slots that it has, above 0 and up to 1
 * @param portions what lies on it, by job id, at least one
 */
public record Aggregator(String node, int number, double cpus, List<ShardAssignment> portions) {
    public Aggregator {
        Checks.named("node", node);
        Checks.atLeast("number", number, 0);
        Checks.positive("cpus", cpus);
        Checks.require(cpus <= 1, "cpus (%s) must be at most 1", cpus);
        portions = Checks.copy(portions);
        Checks.require(!portions.isEmpty(), "nothing lies on aggregator %s of node %s", number, node);
        Set<String> jobs = new HashSet<>();
        for (ShardAssignment portion : portions) {
            Checks.require(jobs.add(portion.jobId()), "job %s lies twice on one aggregator", portion.jobId());
        }
    }

    /** Aggregation slots in thousandths. */
    public long thousandths() {
        return Math.round(cpus * 1000);
    }
}
