package dev.spur.service.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Walk over a value along its schema, which visits each value with each rule that describes it. It supports the
 * constructs that the contract uses: references with siblings, properties, items and additionalProperties. It also
 * supports anyOf with the value first and null second, allOf, and if-then-else whose condition is the constant value of
 * one property.
 */
final class SchemaWalk {
    private final Contract contract;
    private final JsonNode schema;

    SchemaWalk(Contract contract, JsonNode schema) {
        this.contract = contract;
        this.schema = schema;
    }

    private interface Visitor {
        /** Visits a value before its parts; returns false to leave out its parts. */
        boolean visit(JsonNode rule, JsonNode value, @Nullable Place place);
    }

    /** Place of a value in the body; its pointer is built only for an error. */
    private record Place(@Nullable Place parent, Object step) {
        static String pointer(@Nullable Place place) {
            return place == null ? "" : BodyReader.child(pointer(place.parent), place.step.toString());
        }
    }

    /**
     * Removes null where it means the same as an absent property, in place: where the property is optional and its
     * schema has no null. A required property keeps it, and so does one whose schema states a meaning of null.
     */
    void removeAbsentNulls(JsonNode instance) {
        walk(schema, instance, null, (rule, value, place) -> {
            if (value instanceof ObjectNode object && object.valueStream().anyMatch(JsonNode::isNull)) {
                object.remove(absentNulls(rule, object));
            }
            return true;
        });
    }

    private List<String> absentNulls(JsonNode rule, ObjectNode object) {
        Set<String> required =
                rule.path("required").valueStream().map(JsonNode::asString).collect(Collectors.toSet());
        return rule.path("properties").properties().stream()
                .filter(property -> object.path(property.getKey()).isNull()
                        && !required.contains(property.getKey())
                        && !allowsNull(property.getValue()))
                .map(Map.Entry::getKey)
                .toList();
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

    /** Fills in the defaults of absent members, in place; the value must have passed the schema. */
    void fillInDefaults(JsonNode instance) {
        walk(schema, instance, null, (rule, value, place) -> {
            if (value instanceof ObjectNode object) {
                rule.path("properties").properties().forEach(property -> {
                    JsonNode fallback = property.getValue().get("default");
                    if (fallback != null && !object.has(property.getKey())) {
                        object.set(property.getKey(), fallback.deepCopy());
                    }
                });
            }
            return true;
        });
    }

    /**
     * The parts that exceed the size limits of their schema, at most {@link SchemaCheck#MAX_ERRORS}. The contents of
     * such a part are not checked. Used before the validator, which validates every item of an array before it compares
     * their number with {@code maxItems}.
     */
    List<FieldError> sizeErrors(JsonNode instance) {
        List<FieldError> errors = new ArrayList<>();
        walk(
                schema,
                instance,
                null,
                (rule, value, place) ->
                        errors.size() < SchemaCheck.MAX_ERRORS && !isTooLarge(rule, value, place, errors));
        return errors;
    }

    private static boolean isTooLarge(JsonNode rule, JsonNode value, @Nullable Place place, List<FieldError> errors) {
        String keyword = value.isArray() ? "maxItems" : value.isObject() ? "maxProperties" : "maxLength";
        JsonNode most = rule.path(keyword);
        if (!most.isNumber() || !(value.isContainer() || value.isString())) {
            return false;
        }
        int size = value.isString()
                ? value.asString().codePointCount(0, value.asString().length())
                : value.size();
        if (size <= most.asInt()) {
            return false;
        }
        String unit = value.isArray() ? "items" : value.isObject() ? "members" : "characters";
        errors.add(FieldError.at(
                Place.pointer(place), "has %d %s, at most %d are allowed".formatted(size, unit, most.asInt())));
        return true;
    }

    private void walk(JsonNode rule, JsonNode value, @Nullable Place place, Visitor visitor) {
        if (!visitor.visit(rule, value, place)) {
            return;
        }
        if (rule.has("$ref")) {
            walk(contract.target(rule.path("$ref").asString()), value, place, visitor);
        }
        if (rule.has("anyOf")) {
            walk(rule.path("anyOf").path(0), value, place, visitor);
        }
        rule.path("allOf").forEach(part -> walk(part, value, place, visitor));
        if (rule.has("if")) {
            walk(rule.path(holds(rule.path("if"), value) ? "then" : "else"), value, place, visitor);
        }
        if (value.isObject()) {
            walkMembers(rule, value, place, visitor);
        } else if (value.isArray() && rule.has("items")) {
            for (int i = 0; i < value.size(); i++) {
                walk(rule.path("items"), value.get(i), new Place(place, i), visitor);
            }
        }
    }

    private void walkMembers(JsonNode rule, JsonNode object, @Nullable Place place, Visitor visitor) {
        JsonNode properties = rule.path("properties");
        JsonNode others = rule.path("additionalProperties");
        if (properties.isEmpty() && !others.isObject()) {
            return;
        }
        for (Map.Entry<String, JsonNode> member : object.properties()) {
            JsonNode part = properties.path(member.getKey());
            if (part.isMissingNode() && others.isObject()) {
                part = others;
            }
            if (!part.isMissingNode()) {
                walk(part, member.getValue(), new Place(place, member.getKey()), visitor);
            }
        }
    }

    /** True if {@code value} satisfies the condition of an if-then. An absent property satisfies it unless required. */
    private static boolean holds(JsonNode condition, JsonNode value) {
        return condition.path("required").valueStream().allMatch(name -> value.has(name.asString()))
                && condition.path("properties").properties().stream()
                        .allMatch(property -> !value.has(property.getKey())
                                || property.getValue().path("const").equals(value.path(property.getKey())));
    }
}
