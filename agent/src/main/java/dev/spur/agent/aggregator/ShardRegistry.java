package dev.spur.agent.aggregator;

import dev.spur.agent.aggregator.Frame.Hello;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** All shards of an aggregator. Thread-safe; sums of different shards do not wait for each other. */
final class ShardRegistry {
    private final Map<ShardKey, ShardSum> sums = new HashMap<>();
    private final AggregatorMetrics meter;
    private Content.Index content = new Content.Index(new Content(java.util.List.of()));

    /** @param meter counters of removed shards are deleted */
    ShardRegistry(AggregatorMetrics meter) {
        this.meter = meter;
    }

    /** Replaces the content. Workers that wait for a removed shard are notified. */
    synchronized void set(Content other) {
        content = new Content.Index(other);
        sums.entrySet().removeIf(entry -> {
            byte rejection = rejection(entry.getKey());
            if (rejection != 0) {
                entry.getValue().leave(rejection);
            }
            return rejection != 0;
        });
        meter.keep(key -> rejection(key) == 0);
    }

    /** Handles a frame from a worker. */
    void take(Hello from, Frame frame, WorkerConnection peer) {
        ShardSum sum = sum(from.key(frame.shard()), from.workers(), frame, peer);
        if (sum == null) {
            return;
        }
        if (frame.kind() == Frame.KNOWN) {
            sum.handleKnownSum(frame.step(), frame.numbers());
        } else {
            // counted before the response is sent, because its receiver may read the counts
            meter.recordPart(
                    from.key(frame.shard()),
                    (long) frame.numbers().count() * frame.numbers().width());
            sum.part(from.rank(), frame.step(), frame.numbers(), peer);
        }
    }

    private synchronized @Nullable ShardSum sum(ShardKey key, int workers, Frame frame, WorkerConnection peer) {
        byte rejection = rejection(key);
        Optional<Content.Part> part = content.part(key.job(), key.generation());
        if (rejection == 0 && part.isPresent() && part.get().workers() != workers) {
            rejection = Frame.WRONG;
        }
        if (rejection != 0) {
            peer.send(new Frame(rejection, frame.shard(), frame.step(), Frame.NONE).bytes());
            return null;
        }
        return sums.computeIfAbsent(key, k -> new ShardSum(k.shard(), workers));
    }

    /**
     * Returns the kind of the rejection for a shard that is not in the content; 0 if it is. An unknown generation may
     * still be added.
     */
    private byte rejection(ShardKey key) {
        if (content.isOver(key.job(), key.generation())) {
            return Frame.OVER;
        }
        return content.has(key.job(), key.generation(), key.shard()) ? 0 : Frame.ELSEWHERE;
    }
}
