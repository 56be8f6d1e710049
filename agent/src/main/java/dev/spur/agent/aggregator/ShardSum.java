package dev.spur.agent.aggregator;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Sum of one shard of one generation of a job.
 *
 * <p>Workers are at most one step apart, because a sum needs a part of every worker. While a shard moves, some workers
 * may already have the sum of a step from its previous aggregator. The aggregator then requests that sum from a worker
 * that is one step ahead.
 */
final class ShardSum {
    private final int shard;
    private final int workers;
    private final TreeMap<Long, PartialSum> steps = new TreeMap<>();
    private long lastStep = -1;
    private byte @Nullable [] last;
    private byte rejection;

    ShardSum(int shard, int workers) {
        this.shard = shard;
        this.workers = workers;
    }

    /** Handles a worker's part of the sum of a step. */
    synchronized void part(int rank, long step, TensorBuffer part, WorkerConnection peer) {
        if (rejection != 0) { // the shard was removed while this frame was on its way here
            peer.send(new Frame(rejection, shard, step, Frame.NONE).bytes());
            return;
        }
        byte[] known = last;
        if (step == lastStep && known != null) {
            peer.send(known);
            return;
        }
        // an older part is a late frame of a closed connection, for which no worker waits
        steps.headMap(step - 1).clear();
        boolean fits = step > lastStep && (steps.isEmpty() || step >= steps.lastKey() - 1);
        if (!fits || !steps.computeIfAbsent(step, s -> new PartialSum(workers)).take(rank, part, peer)) {
            peer.send(new Frame(Frame.WRONG, shard, step, Frame.NONE).bytes());
            return;
        }
        TensorBuffer sum = steps.firstEntry().getValue().sum();
        if (sum != null) {
            complete(steps.firstKey(), sum);
        } else if (steps.size() > 1) {
            requestKnownSum(step, peer);
        }
    }

    /**
     * Requests the sum of the earlier step from the workers of the later step: from the current sender, or from all of
     * them if the current part belongs to the earlier step.
     */
    private void requestKnownSum(long step, WorkerConnection peer) {
        byte[] ask = new Frame(Frame.KNOWN, shard, steps.firstKey(), Frame.NONE).bytes();
        if (step == steps.lastKey()) {
            peer.send(ask);
        } else {
            steps.lastEntry().getValue().peers().forEach(ahead -> ahead.send(ask));
        }
    }

    /** Handles the sum of a step from a worker that has it. */
    synchronized void handleKnownSum(long step, TensorBuffer sum) {
        if (steps.size() > 1 && step == steps.firstKey()) {
            complete(step, sum);
        }
    }

    private void complete(long step, TensorBuffer sum) {
        byte[] answer = new Frame(Frame.SUM, shard, step, sum).bytes();
        last = answer;
        lastStep = step;
        PartialSum done = steps.remove(step);
        if (done != null) {
            done.peers().forEach(peer -> peer.send(answer));
        }
        Map.Entry<Long, PartialSum> next = steps.firstEntry();
        TensorBuffer nextSum = next == null ? null : next.getValue().sum();
        if (next != null && nextSum != null) {
            complete(next.getKey(), nextSum);
        }
    }

    /** Notifies all waiting workers, and those whose parts arrive later, that this shard produces no sum. */
    synchronized void leave(byte why) {
        rejection = why;
        steps.forEach((step, gathering) -> {
            byte[] answer = new Frame(why, shard, step, Frame.NONE).bytes();
            gathering.peers().forEach(peer -> peer.send(answer));
        });
        steps.clear();
    }
}
