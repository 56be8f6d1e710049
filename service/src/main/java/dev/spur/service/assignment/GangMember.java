package dev.spur.service.assignment;

import dev.spur.model.allocation.NodeShare;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Converts an allocation to assignment rows, one for each node with devices. Aggregators serve several jobs and are
 * stored separately.
 */
final class GangMember {
    static final String WORKER = "WORKER";

    private GangMember() {}

    /** Returns the rows of an allocation, in the column order of the insertion. */
    static List<@Nullable Object[]> rows(AssignmentStore.Offer offer, int port, @Nullable Long resumeUpTo) {
        var common = new @Nullable Object[] {offer.jobId(), offer.generation(), port, resumeUpTo};
        List<@Nullable Object[]> rows = new ArrayList<>();
        int nodeRank = 0;
        int rank = 0;
        for (NodeShare piece : offer.allocation().placement()) {
            rows.add(row(common, piece, nodeRank++, rank));
            rank += piece.slots();
        }
        return rows;
    }

    private static @Nullable Object[] row(@Nullable Object[] common, NodeShare piece, int nodeRank, int rank) {
        return new @Nullable Object[] {
            common[0],
            common[1],
            piece.node(),
            WORKER,
            piece.devices().toArray(String[]::new),
            0,
            nodeRank,
            rank,
            common[2],
            common[3]
        };
    }
}
