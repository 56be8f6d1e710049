package dev.spur.service.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Removes null from a request where it means the same as an absent property: where the property is optional and its
 * schema has no null. A required property keeps it, and so does one whose schema states a meaning of null. Understands
 * the same schemas as {@link Defaults}.
 */
final class AbsentNulls {
    private final Contract contract;
    private final JsonNode schema;

    AbsentNulls(Contract contract, JsonNode schema) {
        this.contract = contract;
        this.schema = schema;
    }

    /** Removes them in place, before the schema is checked. */
    void remove(JsonNode instance) {
        remove(schema, instance);
    }

    private void remove(JsonNode rule, JsonNode instance) {
        if (!instance.isContainer()) {
            return;
        }
        if (rule.has("$ref")) {
            remove(contract.target(rule.path("$ref").asString()), instance);
        }
        if (rule.has("anyOf")) {
            remove(rule.path("anyOf").path(0), instance);
        }
        for (JsonNode part : rule.path("allOf")) {
            if (!part.has("if") || Defaults.holds(part.path("if"), instance)) {
                remove(part.has("then") ? part.path("then") : part, instance);
            }
        }
        if (instance instanceof ObjectNode object) {
            removeFromObject(rule, object);
        } else if (rule.has("items")) {
            instance.forEach(item -> remove(rule.path("items"), item));
        }
    }

    private void removeFromObject(JsonNode rule, ObjectNode object) {
        Set<String> required =
                rule.path("required").valueStream().map(JsonNode::asString).collect(Collectors.toSet());
        List<String> absent = new ArrayList<>();
        for (Map.Entry<String, JsonNode> property : rule.path("properties").properties()) {
            JsonNode value = object.get(property.getKey());
            if (value == null) {
                continue;
            }
            if (!value.isNull()) {
                remove(property.getValue(), value);
            } else if (!required.contains(property.getKey()) && !allowsNull(property.getValue())) {
                absent.add(property.getKey());
            }
        }
        object.remove(absent);
    }

    private boolean allowsNull(JsonNode rule) {
        JsonNode type = rule.path("type");
        return type.asString("").equals("null")
                || type.valueStream().anyMatch(one -> one.asString("").equals("null"))
                || rule.path("enum").valueStream().anyMatch(JsonNode::isNull)
                || rule.path("anyOf").valueStream().anyMatch(this::allowsNull)
                || (rule.has("$ref")
                        && allowsNull(contract.target(rule.path("$ref").asString())));
    }
}
