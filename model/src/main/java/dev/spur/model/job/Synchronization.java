package dev.spur.model.job;

import dev.spur.model.Checks;
import dev.spur.model.performance.SyncStrategy;

/**
 * The strategies that a job allows.
 *
 * @param allReduce true if it may use AllReduce
 * @param parameterServer true if it may use parameter servers
 * @param minAggregationSlots fewest aggregation slots under parameter servers
 * @param maxAggregationSlots most aggregation slots under parameter servers
 */
public record Synchronization(
        boolean allReduce, boolean parameterServer, double minAggregationSlots, double maxAggregationSlots) {
    public Synchronization {
        Checks.require(
                allReduce || parameterServer,
                "a job must allow allReduce (%s) or parameterServer (%s)",
                allReduce,
                parameterServer);
        Checks.atLeast("minAggregationSlots", minAggregationSlots, 0);
        Checks.atLeast("maxAggregationSlots", maxAggregationSlots, minAggregationSlots);
    }

    /** AllReduce alone. */
    public static Synchronization allReduceOnly() {
        return new Synchronization(true, false, 0, 0);
    }

    /** True if a job may use {@code strategy} with {@code aggregationSlots}. */
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
