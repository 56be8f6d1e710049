package dev.spur.agent.aggregator;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The parts of a sum as they come. They are added in the order of ranks, so that the sum is the same each time. */
final class Gathering {
    private final int workers;
    private final Map<Integer, Numbers> early = new HashMap<>();
    private final Map<Integer, Peer> peers = new HashMap<>();
    private @Nullable Numbers sum;
    private int added;

    Gathering(int workers) {
        this.workers = workers;
    }

    /** Takes a part; one that comes again counts once. False if it does not go with the others. */
    boolean take(int rank, Numbers part, Peer peer) {
        Numbers other = sum != null ? sum : early.values().stream().findFirst().orElse(part);
        if (!other.isLike(part)) {
            return false;
        }
        peers.put(rank, peer);
        if (rank >= added) {
            early.put(rank, part);
            addWhatIsNext();
        }
        return true;
    }

    private void addWhatIsNext() {
        for (Numbers next = early.remove(added); next != null; next = early.remove(added)) {
            if (sum == null) {
                sum = next;
            } else {
                sum.add(next);
            }
            added++;
        }
    }

    /** The sum of all parts; null as long as one is missing. */
    @Nullable
    Numbers sum() {
        return added == workers ? sum : null;
    }

    /** Whoever has sent a part. */
    Iterable<Peer> peers() {
        return peers.values();
    }
}
