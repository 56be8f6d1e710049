package dev.spur.agent.aggregator;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Collected parts of a sum. They are added in rank order, so that the sum is reproducible. */
final class PartialSum {
    private final int workers;
    private final Map<Integer, TensorBuffer> early = new HashMap<>();
    private final Map<Integer, WorkerConnection> peers = new HashMap<>();
    private @Nullable TensorBuffer sum;
    private int added;

    PartialSum(int workers) {
        this.workers = workers;
    }

    /** Adds a part; a repeated part has no effect. Returns false if its format differs from the other parts. */
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

    /** Returns the sum; null while a part is missing. */
    @Nullable
    TensorBuffer sum() {
        return added == workers ? sum : null;
    }

    /** Returns the connections that have sent a part. */
    Iterable<WorkerConnection> peers() {
        return peers.values();
    }
}
