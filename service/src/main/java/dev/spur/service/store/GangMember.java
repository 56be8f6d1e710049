package dev.spur.service.store;

import dev.spur.model.allocation.AggregationShare;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Piece;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The parts of an allocation as rows: a worker for each node with devices, an aggregator for each other one. */
final class GangMember {
    static final String WORKER = "WORKER";
    static final String AGGREGATOR = "AGGREGATOR";

    private GangMember() {}

    /** The rows of an allocation, in the order of the columns of an insertion. */
    static List<@Nullable Object[]> rows(AssignmentStore.Offer offer, int port, @Nullable Long resumeUpTo) {
        Allocation allocation = offer.allocation();
        Map<String, Double> aggregation = new TreeMap<>();
        for (AggregationShare share : allocation.aggregation()) {
            aggregation.merge(share.node(), share.slots(), Double::sum);
        }
        var common = new @Nullable Object[] {offer.jobId(), offer.generation(), port, resumeUpTo};
        List<@Nullable Object[]> rows = new ArrayList<>();
        int nodeRank = 0;
        int rank = 0;
        for (Piece piece : allocation.placement()) {
            Double share = aggregation.remove(piece.node());
            rows.add(row(common, piece.node(), piece.devices(), share == null ? 0 : share, nodeRank++, rank));
            rank += piece.slots();
        }
        aggregation.forEach((node, share) -> rows.add(row(common, node, List.of(), share, 0, 0)));
        return rows;
    }

    private static @Nullable Object[] row(
            @Nullable Object[] common, String node, List<String> devices, double share, int nodeRank, int rank) {
        return new @Nullable Object[] {
            common[0],
            common[1],
            node,
            devices.isEmpty() ? AGGREGATOR : WORKER,
            devices.toArray(String[]::new),
            share,
            nodeRank,
            rank,
            common[2],
            common[3]
        };
    }
}
