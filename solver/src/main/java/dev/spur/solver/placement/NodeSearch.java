package dev.spur.solver.placement;

import dev.spur.model.job.Elasticity;
import dev.spur.solver.candidate.ClusterIndex;
import dev.spur.solver.candidate.NodeAccess;
import java.util.BitSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Search for the cheapest nodes of a residual cluster that hold the pieces of a demand. */
final class NodeSearch {
    /** Number of nodes with equal free slots of which the costs are compared. */
    private static final int COMPARED_NODES = 100;

    private static final double NOTHING = 1e-9;

    private final ResidualCluster cluster;
    private final ClusterIndex clusterIndex;

    NodeSearch(ResidualCluster cluster, ClusterIndex clusterIndex) {
        this.cluster = cluster;
        this.clusterIndex = clusterIndex;
    }

    /**
     * Returns the nodes of {@code demand}: its fixed ones, or for each piece the cheapest node; null if they do not
     * hold it.
     */
    int @Nullable [] nodesFor(ResourceDemand demand, PieceCost cost) {
        if (demand.isFixed()) {
            return cluster.hold(demand.nodes(), demand) ? demand.nodes() : null;
        }
        int[] found = new int[demand.pieces().length];
        for (int i = 0; i < found.length; i++) {
            found[i] = cheapest(demand.pieces()[i], demand, cost, found, i);
            if (found[i] < 0) {
                return null;
            }
        }
        return found;
    }

    /**
     * Returns the cheapest node that holds the piece, none of the first {@code count} of {@code taken}; among equally
     * cheap ones the fullest. Returns -1 if none holds it. Of many nodes with equal free slots only some are compared.
     */
    int cheapest(int piece, ResourceDemand demand, PieceCost cost, int[] taken, int count) {
        int largest = cluster.largestNode(demand.nodeClass());
        NodeAccess access = demand.access();
        double enough = cost.min(piece, demand) + NOTHING;
        int best = -1;
        double min = Double.POSITIVE_INFINITY;
        if (demand.share() != null) {
            best = cheapestRoom(demand, cost);
            if (best >= 0) {
                min = cost.of(best, piece, demand);
                if (min <= enough) {
                    return best;
                }
            }
        }
        for (int free = piece; free <= largest; free++) {
            int compared = 0;
            long lastCpus = -1;
            long lastMemory = -1;
            int lastAtom = -1;
            BitSet nodes = cluster.nodesWith(demand.nodeClass(), free);
            for (int v = nodes.nextSetBit(0); v >= 0; v = nodes.nextSetBit(v + 1)) {
                if (best >= 0
                        && cluster.cpuUnits(v) == lastCpus
                        && cluster.memoryUnits(v) == lastMemory
                        && clusterIndex.atomOf(v) == lastAtom) {
                    // A node with equal residual capacity costs the same.
                    if (++compared > 4 * COMPARED_NODES) {
                        break;
                    }
                } else if (access.contains(v)
                        && cluster.holds(v, piece, demand)
                        && !ResidualCluster.contains(taken, count, v)) {
                    if (++compared > COMPARED_NODES) {
                        break;
                    }
                    lastCpus = cluster.cpuUnits(v);
                    lastMemory = cluster.memoryUnits(v);
                    lastAtom = clusterIndex.atomOf(v);
                    double price = cost.of(v, piece, demand);
                    if (price < min - NOTHING) {
                        min = price;
                        best = v;
                        if (min <= enough) {
                            return best;
                        }
                    }
                }
            }
        }
        return best;
    }

    /** Returns the cheapest node that holds a share on a shared device, at a tie the fullest; -1 if none does. */
    private int cheapestRoom(ResourceDemand demand, PieceCost cost) {
        int parts = Objects.requireNonNull(demand.share()).parts();
        int best = -1;
        double min = Double.POSITIVE_INFINITY;
        int compared = 0;
        for (int room = parts; room < Elasticity.PARTS; room++) {
            BitSet own = cluster.rooms().nodesWith(demand.nodeClass(), room);
            for (int v = own.nextSetBit(0); v >= 0; v = own.nextSetBit(v + 1)) {
                if (demand.access().contains(v) && cluster.holds(v, 1, demand)) {
                    double price = cost.of(v, 1, demand);
                    if (price < min - NOTHING) {
                        min = price;
                        best = v;
                    }
                    if (min <= cost.min(1, demand) + NOTHING || ++compared > COMPARED_NODES) {
                        return best;
                    }
                }
            }
        }
        return best;
    }
}
