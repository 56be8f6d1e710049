package dev.spur.model.allocation;

import dev.spur.model.Checks;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a job holds: a configuration, and the devices and aggregation slots behind it.
 *
 * @param configuration shape in which it runs
 * @param placement its pieces, one per node, in the order of ranks
 * @param aggregation its aggregation, by node; empty for AllReduce
 * @param since when it got this allocation, seconds on the clock of the problem
 */
public record Allocation(
        Configuration configuration, List<Piece> placement, List<AggregationShare> aggregation, double since) {
    public Allocation {
        placement = Checks.copy(placement);
        aggregation = Checks.copy(aggregation);
        Set<String> nodes = new HashSet<>();
        for (Piece piece : placement) {
            Checks.require(nodes.add(piece.node()), "node %s stands twice in a placement", piece.node());
        }
    }

    /** True if {@code other} runs the same configuration on the same devices; aggregation may have moved. */
    public boolean sameRunAs(Allocation other) {
        return configuration.equals(other.configuration)
                && new HashSet<>(placement).equals(new HashSet<>(other.placement));
    }
}
