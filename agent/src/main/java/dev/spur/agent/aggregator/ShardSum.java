package dev.spur.agent.aggregator;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One shard of one generation of a job.
 *
 * <p>Nobody can be more than one step ahead of anybody, since a sum needs a part of all. While a shard moves, some
 * workers may have got the sum of a step from where it was, and others not: then whoever is a step ahead is asked for
 * the sum that it has.
 */
final class ShardSum {
    private final int shard;
    private final int workers;
    private final TreeMap<Long, PartialSum> steps = new TreeMap<>();
    private long lastStep = -1;
    private byte @Nullable [] last;

    ShardSum(int shard, int workers) {
        this.shard = shard;
        this.workers = workers;
    }

    /** Takes a worker's part of the sum of a step. */
    synchronized void part(int rank, long step, TensorBuffer part, WorkerConnection peer) {
        byte[] known = last;
        if (step == lastStep && known != null) {
            peer.send(known);
            return;
        }
        // What is further behind came late from a connection that is given up: nobody waits for it.
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
            askWhoIsAhead(step, peer);
        }
    }

    /**
     * Whoever sends for the later step has the sum of the earlier one: the one who just did, or all if one came for the
     * earlier.
     */
    private void askWhoIsAhead(long step, WorkerConnection peer) {
        byte[] ask = new Frame(Frame.KNOWN, shard, steps.firstKey(), Frame.NONE).bytes();
        if (step == steps.lastKey()) {
            peer.send(ask);
        } else {
            steps.lastEntry().getValue().peers().forEach(ahead -> ahead.send(ask));
        }
    }

    /** Takes the sum of a step from a worker that has it. */
    synchronized void known(long step, TensorBuffer sum) {
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

    /** Tells all who wait that there will be no sum here. */
    synchronized void leave(byte why) {
        steps.forEach((step, gathering) -> {
            byte[] answer = new Frame(why, shard, step, Frame.NONE).bytes();
            gathering.peers().forEach(peer -> peer.send(answer));
        });
        steps.clear();
    }
}
