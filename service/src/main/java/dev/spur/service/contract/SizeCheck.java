package dev.spur.service.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Finds parts of a body that exceed the size limits of their schema. It runs before the validator, which validates
 * every item of an array before it compares their number with {@code maxItems}. It supports the same schema constructs
 * as {@link Defaults}.
 */
final class SizeCheck {
    private final Contract contract;
    private final JsonNode schema;

    SizeCheck(Contract contract, JsonNode schema) {
        this.contract = contract;
        this.schema = schema;
    }

    /**
     * The size errors, at most {@link SchemaCheck#MOST_ERRORS}. The contents of a part that is too large are not
     * checked.
     */
    List<FieldError> errors(JsonNode instance) {
        List<FieldError> errors = new ArrayList<>();
        check(schema, instance, "", errors);
        return errors;
    }

    private void check(JsonNode rule, JsonNode instance, String pointer, List<FieldError> errors) {
        if (errors.size() >= SchemaCheck.MOST_ERRORS || isTooLarge(rule, instance, pointer, errors)) {
            return;
        }
        if (rule.has("$ref")) {
            check(contract.target(rule.path("$ref").asString()), instance, pointer, errors);
        }
        if (rule.has("anyOf")) {
            check(rule.path("anyOf").path(0), instance, pointer, errors);
        }
        for (JsonNode part : rule.path("allOf")) {
            if (!part.has("if") || Defaults.holds(part.path("if"), instance)) {
                check(part.has("then") ? part.path("then") : part, instance, pointer, errors);
            }
        }
        if (instance.isObject()) {
            checkMembers(rule, instance, pointer, errors);
        } else if (instance.isArray() && rule.has("items")) {
            for (int i = 0; i < instance.size(); i++) {
                check(rule.path("items"), instance.get(i), pointer + "/" + i, errors);
            }
        }
    }

    private void checkMembers(JsonNode rule, JsonNode object, String pointer, List<FieldError> errors) {
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
                check(part, member.getValue(), TextCheck.child(pointer, member.getKey()), errors);
            }
        }
    }

    private static boolean isTooLarge(JsonNode rule, JsonNode instance, String pointer, List<FieldError> errors) {
        String keyword = instance.isArray() ? "maxItems" : instance.isObject() ? "maxProperties" : "maxLength";
        JsonNode most = rule.path(keyword);
        if (!most.isNumber() || !(instance.isContainer() || instance.isString())) {
            return false;
        }
        int size = instance.isString()
                ? instance.asString().codePointCount(0, instance.asString().length())
                : instance.size();
        if (size <= most.asInt()) {
            return false;
        }
        String unit = instance.isArray() ? "items" : instance.isObject() ? "members" : "characters";
        errors.add(FieldError.at(pointer, "has %d %s, at most %d are allowed".formatted(size, unit, most.asInt())));
        return true;
    }
}
