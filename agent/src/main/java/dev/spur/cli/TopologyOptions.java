package dev.spur.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Request of a job for close nodes, as options and as text. */
final class TopologyOptions {
    @Option(
            names = "--within",
            required = true,
            paramLabel = "rack|block",
            description = "Domain of the topology that must contain all nodes of the job.")
    private @Nullable String within;

    @Option(
            names = "--prefer-within",
            required = true,
            paramLabel = "rack|block[=FACTOR]",
            description = "Domain that should contain them. FACTOR is the speed across a boundary (default: 0.9).")
    private @Nullable String preferred;

    /** Adds the request to {@code elasticity} of a specification. */
    void addTo(ObjectNode spec) {
        ObjectNode request = spec.withObject("/elasticity").putObject("topology");
        if (within != null) {
            request.put("level", within).put("policy", "REQUIRE");
        } else if (preferred != null) {
            int equals = preferred.indexOf('=');
            request.put("level", equals < 0 ? preferred : preferred.substring(0, equals))
                    .put("policy", "PREFER");
            if (equals >= 0) {
                request.put("crossingFactor", factor(preferred.substring(equals + 1)));
            }
        }
    }

    private static double factor(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw CommandFailure.ofInput(
                    "The factor '%s' of --prefer-within must be a number, such as 0.8 in rack=0.8.".formatted(text));
        }
    }

    /** Returns the request {@code topology} of a job as text; empty if there is none. */
    static String text(JsonNode topology) {
        if (!topology.isObject()) {
            return "";
        }
        String level = topology.path("level").asString();
        double factor = topology.path("crossingFactor").asDouble(0.9);
        return topology.path("policy").asString().equals("REQUIRE")
                ? "within one " + level
                : "preferably within one %s; speed across a boundary %s".formatted(level, factor);
    }
}
