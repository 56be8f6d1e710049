package dev.spur.cli;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Requirements of a job on its nodes, as options and as text.
 *
 * @param label name of the label
 * @param operator condition on its value, as in the contract
 * @param values values of the condition
 */
record NodeConditions(String label, String operator, List<String> values) {
    private static final String NODE = "spur/node";

    /** A condition on the names of the nodes: one of {@code names}, or none of them. */
    static NodeConditions onNames(List<String> names, boolean excluded) {
        return new NodeConditions(NODE, excluded ? "NOT_IN" : "IN", names);
    }

    /** Reads {@code LABEL}, {@code !LABEL}, {@code LABEL=VALUE,..}, {@code LABEL!=VALUE,..}, and with &gt; and &lt;. */
    static final class Converter implements ITypeConverter<NodeConditions> {
        @Override
        public NodeConditions convert(String text) {
            if (text.contains(">=") || text.contains("<=")) {
                throw new TypeConversionException(
                        "'%s' has an unknown operator; numbers are whole, so for LABEL>=4 state LABEL>3, and for LABEL<=4 LABEL<5"
                                .formatted(text));
            }
            for (String[] form :
                    new String[][] {{"!=", "NOT_IN"}, {"=", "IN"}, {">", "GREATER_THAN"}, {"<", "LESS_THAN"}}) {
                int at = text.indexOf(form[0]);
                if (at > 0) {
                    String values = text.substring(at + form[0].length());
                    return new NodeConditions(text.substring(0, at), form[1], Arrays.asList(values.split(",", -1)));
                }
            }
            String label = text.startsWith("!") ? text.substring(1) : text;
            if (label.isBlank()) {
                throw new TypeConversionException(
                        "must be LABEL, !LABEL, LABEL=VALUE, LABEL!=VALUE, LABEL>N or LABEL<N, but was '" + text + "'");
            }
            return new NodeConditions(label, text.startsWith("!") ? "DOES_NOT_EXIST" : "EXISTS", List.of());
        }
    }

    /** Adds the condition to {@code elasticity.nodes} of a specification. */
    void addTo(ObjectNode spec) {
        ObjectNode elasticity = spec.withObject("/elasticity");
        addTo(elasticity.path("nodes").isArray() ? elasticity.withArray("/nodes") : elasticity.putArray("nodes"));
    }

    /** Adds the condition to {@code requirements}. */
    void addTo(ArrayNode requirements) {
        ObjectNode condition = requirements.addObject().put("label", label).put("operator", operator);
        values.forEach(condition.putArray("values")::add);
    }

    /** Returns the preference {@code preferredNodes} of a job as text; empty if there is none. */
    static String preference(JsonNode preferredNodes) {
        return preferredNodes.isObject()
                ? "%s; utility elsewhere %s"
                        .formatted(
                                text(preferredNodes.path("requirements")),
                                preferredNodes.path("factor").asDouble(0.95))
                : "";
    }

    /** Returns the requirements of a job as text; empty if there are none. */
    static String text(JsonNode nodes) {
        return nodes.valueStream().map(NodeConditions::textOf).collect(Collectors.joining(", "));
    }

    private static String textOf(JsonNode one) {
        String values = one.path("values").valueStream().map(JsonNode::asString).collect(Collectors.joining(" or "));
        String operator =
                one.path("operator").asString().toLowerCase(Locale.ROOT).replace('_', ' ');
        return "%s %s %s"
                .formatted(one.path("label").asString(), operator, values)
                .strip();
    }
}
