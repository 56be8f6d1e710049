package dev.spur.service.contract;

import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * A parameter of an operation.
 *
 * @param in {@code path}, {@code query} or {@code header}
 * @param required true if the parameter is mandatory
 * @param type type of its schema, or of the items if it is an array
 * @param array true if it is repeatable
 * @param fallback its default; null if it has none
 * @param check its schema
 */
record Parameter(
        String name,
        String in,
        boolean required,
        String type,
        boolean array,
        @Nullable JsonNode fallback,
        SchemaCheck check) {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final Pattern WHOLE = Pattern.compile("-?[0-9]{1,18}");

    /**
     * Converts received values, at least one, to JSON of the type in the schema. A text that does not have that type
     * stays text.
     */
    JsonNode parse(List<String> values) {
        if (!array) {
            return parse(values.get(0));
        }
        ArrayNode all = NODES.arrayNode();
        values.forEach(value -> all.add(parse(value)));
        return all;
    }

    FieldError error(String message) {
        return in.equals("header") ? FieldError.inHeader(name, message) : FieldError.inParameter(name, message);
    }

    private JsonNode parse(String value) {
        if (type.equals("integer") && WHOLE.matcher(value).matches()) {
            return NODES.numberNode(Long.parseLong(value));
        }
        if (type.equals("boolean") && (value.equals("true") || value.equals("false"))) {
            return NODES.booleanNode(value.equals("true"));
        }
        return NODES.stringNode(value);
    }
}
