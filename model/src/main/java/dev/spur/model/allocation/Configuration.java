package dev.spur.model.allocation;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.spur.model.Checks;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.performance.ThroughputProfile;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A shape in which a job may run.
 *
 * @param pool pool of all its nodes
 * @param acceleratorType type of all its slots
 * @param shape slots on each of its nodes, descending; every entry at least 1, each on a node of its own
 * @param strategy how gradients are combined
 * @param aggregationSlots aggregation slots in the pool; 0 for AllReduce, resolution 0.001
 * @param batchSize global batch size, samples per step
 * @param accumulationSteps passes per step beyond the first
 * @param host what each slot is granted of its node; null for what the job states
 */
public record Configuration(
        String pool,
        String acceleratorType,
        List<Integer> shape,
        SyncStrategy strategy,
        double aggregationSlots,
        int batchSize,
        int accumulationSteps,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable HostGrant host) {
    @JsonCreator
    public Configuration {
        Checks.named("pool", pool);
        Checks.named("acceleratorType", acceleratorType);
        shape = descending(Checks.copy(shape));
        Checks.require(
                !shape.isEmpty() && shape.get(shape.size() - 1) >= 1,
                "shape (%s) must name at least one slot on each node",
                shape);
        Checks.atLeast("aggregationSlots", aggregationSlots, 0);
        Checks.atLeast("batchSize", batchSize, 1);
        Checks.atLeast("accumulationSteps", accumulationSteps, 0);
    }

    /** With what the job states of its hosts. */
    public Configuration(
            String pool,
            String acceleratorType,
            List<Integer> shape,
            SyncStrategy strategy,
            double aggregationSlots,
            int batchSize,
            int accumulationSteps) {
        this(pool, acceleratorType, shape, strategy, aggregationSlots, batchSize, accumulationSteps, null);
    }

    private static List<Integer> descending(List<Integer> shape) {
        for (int i = 1; i < shape.size(); i++) {
            if (shape.get(i - 1) < shape.get(i)) {
                return shape.stream().sorted(Comparator.reverseOrder()).toList();
            }
        }
        return shape;
    }

    /** The same with {@code other} granted of the hosts; null for what the job states. */
    public Configuration withHost(@Nullable HostGrant other) {
        return Objects.equals(host, other)
                ? this
                : new Configuration(
                        pool, acceleratorType, shape, strategy, aggregationSlots, batchSize, accumulationSteps, other);
    }

    /** The same at another batch size. */
    public Configuration withBatch(int batch, int steps) {
        return new Configuration(pool, acceleratorType, shape, strategy, aggregationSlots, batch, steps, host);
    }

    /** True if {@code other} differs in nothing but what is granted of the hosts. */
    public boolean equalsButForHost(Configuration other) {
        return withHost(other.host).equals(other);
    }

    /** All slots. */
    @JsonProperty(access = JsonProperty.Access.READ_ONLY)
    public int slots() {
        int last = shape.size() - 1;
        if (last == 0 || shape.get(0).equals(shape.get(last - 1))) {
            // descending, so all but the last are alike: asked for millions of times in a round
            return shape.get(0) * last + shape.get(last);
        }
        int sum = 0;
        for (int piece : shape) {
            sum += piece;
        }
        return sum;
    }

    /** All nodes. */
    @JsonProperty(access = JsonProperty.Access.READ_ONLY)
    public int nodes() {
        return shape.size();
    }

    /**
     * Samples of one pass on one device; rounded up for a batch that the slots do not share equally, which no plan has.
     */
    @JsonProperty(access = JsonProperty.Access.READ_ONLY)
    public int perDeviceBatch() {
        int passes = slots() * (accumulationSteps + 1);
        return (batchSize + passes - 1) / passes;
    }

    /** Aggregation slots in thousandths, the unit in which they are counted. */
    @JsonIgnore
    public long aggregationThousandths() {
        return Math.round(aggregationSlots * 1000);
    }

    /**
     * Samples per second by {@code profile} in this shape at a global batch size of {@code batch}; 0 if it is not
     * known.
     */
    public double throughput(ThroughputProfile profile, int batch) {
        return profile.throughput(acceleratorType, strategy, slots(), nodes(), aggregationSlots, batch);
    }
}
