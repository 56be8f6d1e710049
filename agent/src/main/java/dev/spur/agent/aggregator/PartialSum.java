package dev.spur.agent.aggregator;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The parts of a sum as they come. They are added in the order of ranks, so that the sum is the same each time. */
final class PartialSum {
    private final int workers;
    private final Map<Integer, TensorBuffer> early = new HashMap<>();
    private final Map<Integer, WorkerConnection> peers = new HashMap<>();
    private @Nullable TensorBuffer sum;
    private int added;

    PartialSum(int workers) {
        this.workers = workers;
    }

    /** Takes a part; one that comes again counts once. False if it does not go with the others. */
    boolean take(int rank, TensorBuffer part, WorkerConnection peer) {
        TensorBuffer other =
                sum != null ? sum : early.values().stream().findFirst().orElse(part);
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
        for (TensorBuffer next = early.remove(added); next != null; next = early.remove(added)) {
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
    TensorBuffer sum() {
        return added == workers ? sum : null;
    }

    /** Whoever has sent a part. */
    Iterable<WorkerConnection> peers() {
        return peers.values();
    }
}
