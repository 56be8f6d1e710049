package dev.spur.connectors;

/**
 * A gradient aggregator required by the plan. A different port makes a different aggregator.
 *
 * @param node the node that the plan assigns; the platform may choose another node of the pool
 * @param number index of the aggregator on its node, from 0
 * @param pool resource pool of the node
 * @param port listening port, 1 to 65535, unique among all aggregators
 */
public record DesiredAggregator(String node, int number, String pool, int port) {
    public DesiredAggregator {
        ArgumentChecks.requireNonBlank("node", node);
        ArgumentChecks.requireNonBlank("pool", pool);
        ArgumentChecks.require(number >= 0, "number (%d) of an aggregator must be at least 0".formatted(number));
        ArgumentChecks.require(
                port >= 1 && port <= 65_535, "port (%d) of an aggregator must be from 1 to 65535".formatted(port));
    }

    /** Returns the display name {@code node/number}. */
    public String name() {
        return "%s/%d".formatted(node, number);
    }
}
