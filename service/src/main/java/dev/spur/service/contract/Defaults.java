package dev.spur.service.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Fills in the schema defaults of absent members. Supports the constructs that the contract uses: references with
 * siblings, properties, items and additionalProperties. It also supports anyOf with the value first and null second,
 * and allOf of if-then whose condition is the constant value of one property.
 */
final class Defaults {
    private final Contract contract;
    private final JsonNode schema;

    Defaults(Contract contract, JsonNode schema) {
        this.contract = contract;
        this.schema = schema;
    }

    /** Completes {@code instance} in place; it must have passed the schema. */
    void fillIn(JsonNode instance) {
        fillIn(schema, instance);
    }

    private void fillIn(JsonNode rule, JsonNode instance) {
        if (!instance.isContainer()) {
            return;
        }
        if (rule.has("$ref")) {
            fillIn(contract.target(rule.path("$ref").asString()), instance);
        }
        if (rule.has("anyOf")) {
            fillIn(rule.path("anyOf").path(0), instance);
        }
        for (JsonNode part : rule.path("allOf")) {
            if (!part.has("if") || holds(part.path("if"), instance)) {
                fillIn(part.has("then") ? part.path("then") : part, instance);
            }
        }
        if (instance instanceof ObjectNode object) {
            fillInObject(rule, object);
        } else if (rule.has("items")) {
            instance.forEach(item -> fillIn(rule.path("items"), item));
        }
    }

    private void fillInObject(JsonNode rule, ObjectNode object) {
        JsonNode properties = rule.path("properties");
        for (Map.Entry<String, JsonNode> property : properties.properties()) {
            JsonNode value = object.get(property.getKey());
            if (value == null) {
                JsonNode fallback = property.getValue().get("default");
                if (fallback == null) {
                    continue;
                }
                value = fallback.deepCopy();
                object.set(property.getKey(), value);
            }
            fillIn(property.getValue(), value);
        }
        JsonNode others = rule.path("additionalProperties");
        if (others.isObject()) {
            others(object, properties).forEach(value -> fillIn(others, value));
        }
    }

    private static List<JsonNode> others(ObjectNode object, JsonNode properties) {
        List<JsonNode> values = new ArrayList<>();
        object.properties().forEach(entry -> {
            if (!properties.has(entry.getKey())) {
                values.add(entry.getValue());
            }
        });
        return values;
    }

    /** True if {@code instance} satisfies the condition of an if-then. */
    static boolean holds(JsonNode condition, JsonNode instance) {
        for (Map.Entry<String, JsonNode> property : condition.path("properties").properties()) {
            if (!property.getValue().path("const").equals(instance.path(property.getKey()))) {
                return false;
            }
        }
        return true;
    }
}
