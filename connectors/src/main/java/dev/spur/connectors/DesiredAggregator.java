package dev.spur.connectors;

/**
 * A process that sums gradients, as a plan wants it. One that listens elsewhere is another one.
 *
 * @param node the node in whose place it stands; the platform may run it on another one of the pool
 * @param number which of the aggregators of that node it is
 * @param pool the group of nodes that it is for
 * @param port where it listens, of its own among all aggregators
 */
public record DesiredAggregator(String node, int number, String pool, int port) {
    public DesiredAggregator {
        ArgumentChecks.named("node", node);
        ArgumentChecks.named("pool", pool);
        ArgumentChecks.require(number >= 0, "number (%d) of an aggregator must be at least 0".formatted(number));
        ArgumentChecks.require(port >= 1 && port <= 65_535, "port (%d) of an aggregator is none".formatted(port));
    }

    /** Its name for people. */
    public String name() {
        return "%s/%d".formatted(node, number);
    }
}
