package dev.spur.agent;

import java.util.Map;
import picocli.CommandLine.Option;

/** Options of {@code spur agent} that apply to a node that is not registered yet. */
final class NewNodeOptions {
    @Option(
            names = "--pool",
            paramLabel = "NAME",
            description = "Pool of a node that is not registered yet (default: ${DEFAULT-VALUE}).")
    private String pool = "default";

    @Option(
            names = "--label",
            paramLabel = "NAME=VALUE",
            description = "Label of a node that is not registered yet; repeatable. Jobs may require labels.")
    private Map<String, String> labels = Map.of();

    @Option(
            names = "--aggregation-slots",
            paramLabel = "N",
            description = "Aggregation slots of a node that is not registered yet (default: ${DEFAULT-VALUE}).")
    private double aggregationSlots;

    String pool() {
        return pool;
    }

    Map<String, String> labels() {
        return Map.copyOf(labels);
    }

    double aggregationSlots() {
        return aggregationSlots;
    }
}
