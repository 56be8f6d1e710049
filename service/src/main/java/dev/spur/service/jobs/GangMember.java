package dev.spur.service.jobs;

import static java.util.stream.Collectors.toMap;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.NodeShare;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Converts an allocation to assignment rows, one for each node with devices. Aggregators serve several jobs and are
 * stored separately.
 */
final class GangMember {
    static final String WORKER = "WORKER";

    private GangMember() {}

    /** Returns the rows of an allocation, in the column order of the insertion. */
    static List<@Nullable Object[]> rows(AssignmentStore.Offer offer, AssignmentStore.Start start) {
        return places(offer.allocation()).stream()
                .map(place -> new @Nullable Object[] {
                    offer.jobId(),
                    offer.generation(),
                    place.piece().node(),
                    WORKER,
                    place.piece().devices().toArray(String[]::new),
                    0,
                    place.nodeRank(),
                    place.rank(),
                    start.port(),
                    start.resumeUpTo(),
                    start.deviceShare()
                })
                .toList();
    }

    /** Returns the nodes that a change of the ranks keeps or leaves, in the order of the parameters of the update. */
    static List<@Nullable Object[]> retainedMembers(RankChangeStore.RankOrder order, int port) {
        Integer[] ranks = order.after().ranksIn(order.before()).toArray(Integer[]::new);
        Map<String, Place> after = places(order.after()).stream()
                .collect(toMap(place -> place.piece().node(), place -> place));
        return order.before().placement().stream()
                .map(NodeShare::node)
                .map(node -> new @Nullable Object[] {
                    order.after().devicesOn(node).toArray(String[]::new),
                    after.containsKey(node) ? after.get(node).nodeRank() : null,
                    after.containsKey(node) ? after.get(node).rank() : null,
                    ranks,
                    port,
                    order.jobId(),
                    order.generation(),
                    node
                })
                .toList();
    }

    /** Returns the nodes on which only ranks join, in the order of the parameters of the insertion. */
    static List<@Nullable Object[]> joining(RankChangeStore.RankOrder order) {
        String first = order.before().placement().get(0).node();
        return places(order.after()).stream()
                .filter(place -> order.before().devicesOn(place.piece().node()).isEmpty())
                .map(place -> new @Nullable Object[] {
                    place.piece().node(),
                    place.nodeRank(),
                    place.rank(),
                    place.piece().devices().toArray(String[]::new),
                    order.jobId(),
                    order.generation(),
                    first
                })
                .toList();
    }

    /** Share of a node, the rank of the node, and the rank of its first device. */
    private record Place(NodeShare piece, int nodeRank, int rank) {}

    private static List<Place> places(Allocation allocation) {
        List<Place> places = new ArrayList<>();
        int rank = 0;
        for (NodeShare piece : allocation.placement()) {
            places.add(new Place(piece, places.size(), rank));
            rank += piece.slots();
        }
        return places;
    }
}
