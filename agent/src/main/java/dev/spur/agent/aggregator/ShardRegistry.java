package dev.spur.agent.aggregator;

import dev.spur.agent.aggregator.Frame.Hello;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** All that an aggregator sums. Safe for several threads; sums of different shards do not wait for each other. */
final class ShardRegistry {
    private final Map<ShardKey, ShardSum> sums = new HashMap<>();
    private final AggregatorMetrics meter;
    private Content.Index content = new Content.Index(new Content(java.util.List.of()));

    /** @param meter forgets what is summed here no more */
    ShardRegistry(AggregatorMetrics meter) {
        this.meter = meter;
    }

    /** From now on just {@code other} is summed here. Whoever waits for anything else is told. */
    synchronized void set(Content other) {
        content = new Content.Index(other);
        sums.entrySet().removeIf(entry -> {
            byte refusal = refusal(entry.getKey());
            if (refusal != 0) {
                entry.getValue().leave(refusal);
            }
            return refusal != 0;
        });
        meter.keep(key -> refusal(key) == 0);
    }

    /** Takes what a worker has sent. */
    void take(Hello from, Frame frame, WorkerConnection peer) {
        ShardSum sum = sum(from.key(frame.shard()), from.workers(), frame, peer);
        if (sum == null) {
            return;
        }
        if (frame.kind() == Frame.KNOWN) {
            sum.known(frame.step(), frame.numbers());
        } else {
            // counted before the answer goes: who has it may ask for the count
            meter.took(
                    from.key(frame.shard()),
                    (long) frame.numbers().count() * frame.numbers().width());
            sum.part(from.rank(), frame.step(), frame.numbers(), peer);
        }
    }

    private synchronized @Nullable ShardSum sum(ShardKey key, int workers, Frame frame, WorkerConnection peer) {
        byte refusal = refusal(key);
        Optional<Content.Part> part = content.part(key.job(), key.generation());
        if (refusal == 0 && part.isPresent() && part.get().workers() != workers) {
            refusal = Frame.WRONG;
        }
        if (refusal != 0) {
            peer.send(new Frame(refusal, frame.shard(), frame.step(), Frame.NONE).bytes());
            return null;
        }
        return sums.computeIfAbsent(key, k -> new ShardSum(k.shard(), workers));
    }

    /** Why nothing of this is summed here; 0 if it is. A generation that is not known yet will be soon. */
    private byte refusal(ShardKey key) {
        if (content.isOver(key.job(), key.generation())) {
            return Frame.OVER;
        }
        return content.has(key.job(), key.generation(), key.shard()) ? 0 : Frame.ELSEWHERE;
    }
}
