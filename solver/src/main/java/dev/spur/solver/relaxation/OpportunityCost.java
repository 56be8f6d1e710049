package dev.spur.solver.relaxation;

import dev.spur.model.job.Elasticity;
import dev.spur.solver.candidate.ClusterIndex;
import dev.spur.solver.placement.PieceCost;
import dev.spur.solver.placement.ResidualCluster;
import dev.spur.solver.placement.ResourceDemand;

/**
 * Opportunity cost of a piece on a node at shadow prices: the value that the remaining capacity of the node loses. It
 * is at least the price of the piece. Not thread-safe.
 */
public final class OpportunityCost implements PieceCost {
    private final ClusterIndex clusterIndex;
    private final PatternCapacity capacity;
    private final ResidualCluster cluster;
    private final double[] prices;
    private final ResidualValue[] values;

    /** @param cluster residual capacity of the nodes at the time of a query */
    public OpportunityCost(CouplingConstraints constraints, ResidualCluster cluster, double[] prices) {
        this.clusterIndex = constraints.candidates().clusterIndex();
        this.capacity = constraints.patternCapacity();
        this.cluster = cluster;
        this.prices = prices;
        this.values = capacity.residualValues(prices);
    }

    @Override
    public double of(int v, int piece, ResourceDemand demand) {
        ResidualValue value = values[clusterIndex.atomOf(v)];
        int room = demand.share() == null ? -1 : cluster.rooms().tightest(v, demand.parts());
        if (room >= 0) {
            return value.lossOfRoom(room, demand.parts());
        }
        double rest = demand.share() == null ? 0 : value.ofRoom(Elasticity.PARTS - demand.parts());
        return -rest
                + value.loss(
                        cluster.slots(v),
                        cluster.cpuUnits(v),
                        cluster.memoryUnits(v),
                        piece,
                        demand.cpuUnits(),
                        demand.memoryUnits());
    }

    @Override
    public double min(int piece, ResourceDemand demand) {
        return capacity.price(demand.nodeClass(), piece, demand.parts(), demand.host(), demand.access(), prices);
    }
}
