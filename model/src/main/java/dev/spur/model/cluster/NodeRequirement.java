package dev.spur.model.cluster;

import dev.spur.model.Checks;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A requirement on a label of a node, with the meaning of a match expression of Kubernetes.
 *
 * @param label name of the label
 * @param operator condition on its value
 * @param values the values of the condition: at least one with IN and NOT_IN, one integer with GREATER_THAN and
 *     LESS_THAN, none with EXISTS and DOES_NOT_EXIST
 */
public record NodeRequirement(String label, Operator operator, List<String> values) {
    /** The node shares its devices: what each job with a share of a device requires. */
    public static final NodeRequirement SHARED_DEVICES =
            new NodeRequirement(Node.SHARED_DEVICES, Operator.IN, List.of("true"));

    private static final String INTEGER = "-?\\d{1,18}";

    /** Conditions on the value of a label. */
    public enum Operator {
        /** The value is one of the values. */
        IN,
        /** The node has no such label, or another value. */
        NOT_IN,
        /** The node has the label. */
        EXISTS,
        /** The node has no such label. */
        DOES_NOT_EXIST,
        /** The value is an integer above the stated one. */
        GREATER_THAN,
        /** The value is an integer below the stated one. */
        LESS_THAN
    }

    public NodeRequirement {
        Checks.nonBlank("label", label);
        values = Checks.copy(values);
        String error = error(operator, values);
        Checks.require(error == null, "values (%s) %s", values, error == null ? "" : error);
    }

    /** Returns what is wrong with {@code values} of {@code operator}; null if nothing is. */
    public static @Nullable String error(Operator operator, List<String> values) {
        return switch (operator) {
            case IN, NOT_IN -> values.isEmpty() ? "must contain a value with " + operator : null;
            case EXISTS, DOES_NOT_EXIST -> values.isEmpty() ? null : "must be empty with " + operator;
            case GREATER_THAN, LESS_THAN ->
                values.size() == 1 && integer(values.get(0)).isPresent()
                        ? null
                        : "must be one integer with " + operator;
        };
    }

    /** Returns whether {@code node} meets all of {@code requirements}. */
    public static boolean allAdmit(List<NodeRequirement> requirements, Node node) {
        for (NodeRequirement requirement : requirements) {
            if (!requirement.admits(node)) {
                return false;
            }
        }
        return true;
    }

    /** Returns true if {@code node} meets the requirement. */
    public boolean admits(Node node) {
        String value = node.label(label);
        return switch (operator) {
            case IN -> value != null && values.contains(value);
            case NOT_IN -> value == null || !values.contains(value);
            case EXISTS -> value != null;
            case DOES_NOT_EXIST -> value == null;
            case GREATER_THAN -> value != null && compare(value) > 0;
            case LESS_THAN -> value != null && compare(value) < 0;
        };
    }

    /** Compares a value with the stated integer; 0 if it is no integer. */
    private int compare(String value) {
        OptionalLong number = integer(value);
        return number.isPresent()
                ? Long.compare(number.getAsLong(), integer(values.get(0)).orElseThrow())
                : 0;
    }

    private static OptionalLong integer(String text) {
        return text.matches(INTEGER) ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
    }

    /** Returns {@code requirements} as text, such as {@code zone in (a), fast exists}. */
    public static String describe(List<NodeRequirement> requirements) {
        return requirements.stream().map(NodeRequirement::toString).collect(Collectors.joining(", "));
    }

    /** Returns a text such as {@code zone in (a, b)}. */
    @Override
    public String toString() {
        if (equals(SHARED_DEVICES)) {
            return "shared devices, as of an agent with --share-gpus";
        }
        String list = String.join(", ", values);
        return switch (operator) {
            case IN -> "%s in (%s)".formatted(label, list);
            case NOT_IN -> "%s not in (%s)".formatted(label, list);
            case EXISTS -> label + " exists";
            case DOES_NOT_EXIST -> label + " does not exist";
            case GREATER_THAN -> "%s > %s".formatted(label, list);
            case LESS_THAN -> "%s < %s".formatted(label, list);
        };
    }
}
