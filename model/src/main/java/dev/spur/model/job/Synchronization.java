package dev.spur.model.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.spur.model.Checks;
import dev.spur.model.performance.SyncStrategy;
import org.jspecify.annotations.Nullable;

/**
 * The synchronization strategies that a job allows.
 *
 * @param allReduce true if it may use AllReduce
 * @param parameterServer true if it may use parameter servers
 * @param minAggregationSlots minimum aggregation slots under parameter servers
 * @param maxAggregationSlots maximum aggregation slots under parameter servers
 * @param gradientBytes bytes of gradients that each worker sends per step under parameter servers, above 0; null if the
 *     job does not share aggregators
 */
public record Synchronization(
        boolean allReduce,
        boolean parameterServer,
        double minAggregationSlots,
        double maxAggregationSlots,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double gradientBytes) {
    /** Strategies of a job that does not share aggregators. */
    public Synchronization(
            boolean allReduce, boolean parameterServer, double minAggregationSlots, double maxAggregationSlots) {
        this(allReduce, parameterServer, minAggregationSlots, maxAggregationSlots, null);
    }

    public Synchronization {
        Checks.require(
                allReduce || parameterServer,
                "a job must allow allReduce (%s) or parameterServer (%s)",
                allReduce,
                parameterServer);
        Checks.atLeast("minAggregationSlots", minAggregationSlots, 0);
        Checks.atLeast("maxAggregationSlots", maxAggregationSlots, minAggregationSlots);
        if (gradientBytes != null) {
            Checks.positive("gradientBytes", gradientBytes);
        }
    }

    /** Returns these strategies with the gradient bytes multiplied by {@code factor}; unchanged if none are stated. */
    public Synchronization withGradients(double factor) {
        return gradientBytes == null
                ? this
                : new Synchronization(
                        allReduce, parameterServer, minAggregationSlots, maxAggregationSlots, factor * gradientBytes);
    }

    /** Returns these strategies for aggregators that the job does not share. */
    public Synchronization withoutSharing() {
        return new Synchronization(allReduce, parameterServer, minAggregationSlots, maxAggregationSlots);
    }

    /** Returns the strategies of a job that allows only AllReduce. */
    public static Synchronization allReduceOnly() {
        return new Synchronization(true, false, 0, 0);
    }

    /** Returns true if a job may use {@code strategy} with {@code aggregationSlots}. */
    public boolean allows(SyncStrategy strategy, double aggregationSlots) {
        return switch (strategy) {
            case ALL_REDUCE -> allReduce && aggregationSlots == 0;
            case PARAMETER_SERVER ->
                parameterServer
                        && aggregationSlots > 0
                        && aggregationSlots >= minAggregationSlots
                        && aggregationSlots <= maxAggregationSlots;
        };
    }
}
