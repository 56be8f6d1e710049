package dev.spur.model.allocation;

import dev.spur.model.Checks;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a job holds: a configuration, and the devices and aggregation slots behind it.
 *
 * @param configuration shape in which it runs
 * @param placement its pieces, one per node, in the order of ranks
 * @param aggregation its aggregation, by node; empty for AllReduce
 * @param since when it got this allocation, seconds on the clock of the problem
 */
public record Allocation(
        Configuration configuration, List<NodeShare> placement, List<AggregationShare> aggregation, double since) {
    public Allocation {
        placement = Checks.copy(placement);
        aggregation = Checks.copy(aggregation);
        Set<String> nodes = new HashSet<>();
        for (NodeShare piece : placement) {
            Checks.require(nodes.add(piece.node()), "node %s stands twice in a placement", piece.node());
        }
    }

    /** The same with {@code host} granted of its hosts; null for what the job states. */
    public Allocation withHost(@Nullable HostGrant host) {
        return Objects.equals(host, configuration.host())
                ? this
                : new Allocation(configuration.withHost(host), placement, aggregation, since);
    }

    /**
     * True if {@code other} runs the same configuration on the same devices. Aggregation may have moved, and another
     * part of the hosts may be granted: neither stops the job.
     */
    public boolean sameRunAs(Allocation other) {
        return configuration.equalsButForHost(other.configuration)
                && new HashSet<>(placement).equals(new HashSet<>(other.placement));
    }
}
