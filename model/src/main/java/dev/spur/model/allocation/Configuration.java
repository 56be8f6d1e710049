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
 * The slots, synchronization strategy and batch size with which a job may run.
 *
 * @param pool pool of all its nodes
 * @param acceleratorType type of all its slots
 * @param shape slots on each of its nodes, descending; every entry at least 1 and on a separate node
 * @param strategy how gradients are synchronized
 * @param aggregationSlots aggregation slots in the pool; 0 for AllReduce, resolution 0.001
 * @param batchSize global batch size, samples per step
 * @param accumulationSteps gradient accumulation passes per step in addition to the first pass
 * @param host host resources granted per slot; null for the job's own host demand
 * @param crossings boundaries of the topology between its nodes that slow the job down, 1 or 2; null for none
 */
public record Configuration(
        String pool,
        String acceleratorType,
        List<Integer> shape,
        SyncStrategy strategy,
        double aggregationSlots,
        int batchSize,
        int accumulationSteps,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable HostGrant host,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer crossings) {
    @JsonCreator
    public Configuration {
        Checks.nonBlank("pool", pool);
        Checks.nonBlank("acceleratorType", acceleratorType);
        shape = descending(Checks.copy(shape));
        Checks.require(
                !shape.isEmpty() && shape.get(shape.size() - 1) >= 1,
                "shape (%s) must name at least one slot on each node",
                shape);
        Checks.atLeast("aggregationSlots", aggregationSlots, 0);
        Checks.atLeast("batchSize", batchSize, 1);
        Checks.atLeast("accumulationSteps", accumulationSteps, 0);
        Checks.require(
                crossings == null || (crossings >= 0 && crossings <= 2),
                "crossings (%s) must be from 0 to 2",
                crossings);
        crossings = crossings == null || crossings == 0 ? null : crossings;
    }

    /** A configuration with the job's own host demand, and without boundaries between its nodes. */
    public Configuration(
            String pool,
            String acceleratorType,
            List<Integer> shape,
            SyncStrategy strategy,
            double aggregationSlots,
            int batchSize,
            int accumulationSteps) {
        this(pool, acceleratorType, shape, strategy, aggregationSlots, batchSize, accumulationSteps, null, null);
    }

    private static List<Integer> descending(List<Integer> shape) {
        for (int i = 1; i < shape.size(); i++) {
            if (shape.get(i - 1) < shape.get(i)) {
                return shape.stream().sorted(Comparator.reverseOrder()).toList();
            }
        }
        return shape;
    }

    /** Returns this configuration with {@code other} as host grant; null grants the job's own host demand. */
    public Configuration withHost(@Nullable HostGrant other) {
        return Objects.equals(host, other)
                ? this
                : new Configuration(
                        pool,
                        acceleratorType,
                        shape,
                        strategy,
                        aggregationSlots,
                        batchSize,
                        accumulationSteps,
                        other,
                        crossings);
    }

    /** Returns this configuration across {@code count} boundaries of the topology, from 0 to 2. */
    public Configuration withCrossings(int count) {
        return boundaries() == count
                ? this
                : new Configuration(
                        pool,
                        acceleratorType,
                        shape,
                        strategy,
                        aggregationSlots,
                        batchSize,
                        accumulationSteps,
                        host,
                        count);
    }

    /** Returns the number of boundaries of the topology that slow the job down. */
    @JsonIgnore
    public int boundaries() {
        return crossings == null ? 0 : crossings;
    }

    /** Returns this configuration with global batch size {@code batch} and {@code steps} accumulation steps. */
    public Configuration withBatch(int batch, int steps) {
        return new Configuration(
                pool, acceleratorType, shape, strategy, aggregationSlots, batch, steps, host, crossings);
    }

    /** Returns true if {@code other} equals this configuration except for host grant and crossings. */
    public boolean equalsButForHost(Configuration other) {
        return withHost(other.host).withCrossings(other.boundaries()).equals(other);
    }

    /** Returns true if {@code other} equals this configuration, or has fewer crossings and is otherwise equal. */
    public boolean includes(Configuration other) {
        return other.boundaries() <= boundaries()
                && withCrossings(other.boundaries()).equals(other);
    }

    /** Returns true if {@code other} differs in slots, nodes and batch size only, with AllReduce. */
    public boolean rescalesTo(Configuration other) {
        return strategy == SyncStrategy.ALL_REDUCE
                && other.strategy == SyncStrategy.ALL_REDUCE
                && pool.equals(other.pool)
                && acceleratorType.equals(other.acceleratorType)
                && Objects.equals(host, other.host);
    }

    /** Returns the number of slots on all nodes. */
    @JsonProperty(access = JsonProperty.Access.READ_ONLY)
    public int slots() {
        int last = shape.size() - 1;
        if (last == 0 || shape.get(0).equals(shape.get(last - 1))) {
            // the shape is descending, so all entries but the last are equal; this method runs millions of times
            // in a round
            return shape.get(0) * last + shape.get(last);
        }
        int sum = 0;
        for (int nodeSlots : shape) {
            sum += nodeSlots;
        }
        return sum;
    }

    /** Returns the number of nodes. */
    @JsonProperty(access = JsonProperty.Access.READ_ONLY)
    public int nodes() {
        return shape.size();
    }

    /**
     * Returns the samples per pass and device. The value is rounded up if the slots cannot share the batch equally; the
     * plan validator rejects such a configuration.
     */
    @JsonProperty(access = JsonProperty.Access.READ_ONLY)
    public int perDeviceBatch() {
        int passes = slots() * (accumulationSteps + 1);
        return (batchSize + passes - 1) / passes;
    }

    /** Returns the aggregation slots in thousandths, the unit of capacity checks. */
    @JsonIgnore
    public long aggregationThousandths() {
        return Math.round(aggregationSlots * 1000);
    }

    /**
     * Returns the throughput by {@code profile} in samples per second at a global batch size of {@code batch}; 0 if it
     * is unknown.
     */
    public double throughput(ThroughputProfile profile, int batch) {
        return profile.throughput(acceleratorType, strategy, slots(), nodes(), aggregationSlots, batch);
    }
}
