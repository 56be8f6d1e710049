package dev.spur.service.web.contract;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * One schema object of the contract, read once for the walks of {@link SchemaWalk}. References are followed during the
 * walk, because schemas can contain themselves.
 *
 * @param reference target of {@code $ref}; null without one
 * @param parts schemas of the same value: the first of anyOf, and all of allOf
 * @param choice if-then-else; null without one
 * @param others schema of members that are not in {@code properties}; null without one
 * @param items schema of the items of an array; null without one
 * @param defaults default values by the name of their property
 * @param absentNulls optional properties whose schema has no null, so that null means the same as an absent property
 * @param limit limit of the size; null without one
 */
record SchemaRule(
        @Nullable String reference,
        List<SchemaRule> parts,
        @Nullable Choice choice,
        Map<String, SchemaRule> properties,
        @Nullable SchemaRule others,
        @Nullable SchemaRule items,
        Map<String, JsonNode> defaults,
        Set<String> absentNulls,
        @Nullable SizeLimit limit) {

    private static final Map<String, String> UNITS =
            Map.of("maxItems", "items", "maxProperties", "members", "maxLength", "characters");

    /** Largest number of {@code units}, which are items, members or characters. */
    record SizeLimit(int max, String units) {}

    /**
     * If-then-else whose condition is the constant value of properties.
     *
     * @param required properties that the condition requires; otherwise an absent property satisfies it
     * @param constants values that satisfy the condition, by property
     */
    record Choice(Set<String> required, Map<String, JsonNode> constants, SchemaRule then, SchemaRule otherwise) {
        /** The schema that applies to {@code value}. */
        SchemaRule of(JsonNode value) {
            return required.stream().allMatch(value::has)
                            && constants.entrySet().stream()
                                    .allMatch(constant -> !value.has(constant.getKey())
                                            || constant.getValue().equals(value.path(constant.getKey())))
                    ? then
                    : otherwise;
        }
    }

    static SchemaRule read(Contract contract, JsonNode schema) {
        Map<String, SchemaRule> properties = new LinkedHashMap<>();
        Map<String, JsonNode> defaults = new LinkedHashMap<>();
        schema.path("properties").properties().forEach(property -> {
            properties.put(property.getKey(), read(contract, property.getValue()));
            if (property.getValue().has("default")) {
                defaults.put(property.getKey(), property.getValue().path("default"));
            }
        });
        Set<String> required = names(schema.path("required"));
        return new SchemaRule(
                schema.path("$ref").asString(null),
                Stream.concat(
                                schema.path("anyOf").valueStream().limit(1),
                                schema.path("allOf").valueStream())
                        .map(part -> read(contract, part))
                        .toList(),
                schema.has("if") ? choice(contract, schema) : null,
                properties,
                part(contract, schema, "additionalProperties"),
                part(contract, schema, "items"),
                defaults,
                properties.keySet().stream()
                        .filter(name -> !required.contains(name)
                                && !allowsNull(
                                        contract, schema.path("properties").path(name)))
                        .collect(Collectors.toSet()),
                UNITS.entrySet().stream()
                        .filter(unit -> schema.path(unit.getKey()).isNumber())
                        .map(unit -> new SizeLimit(schema.path(unit.getKey()).asInt(), unit.getValue()))
                        .findFirst()
                        .orElse(null));
    }

    private static Choice choice(Contract contract, JsonNode schema) {
        JsonNode condition = schema.path("if");
        return new Choice(
                names(condition.path("required")),
                condition.path("properties").properties().stream()
                        .collect(Collectors.toMap(
                                Map.Entry::getKey,
                                property -> property.getValue().path("const"))),
                read(contract, schema.path("then")),
                read(contract, schema.path("else")));
    }

    private static @Nullable SchemaRule part(Contract contract, JsonNode schema, String keyword) {
        return schema.path(keyword).isObject() ? read(contract, schema.path(keyword)) : null;
    }

    private static Set<String> names(JsonNode array) {
        return array.valueStream().map(JsonNode::asString).collect(Collectors.toSet());
    }

    private static boolean allowsNull(Contract contract, JsonNode schema) {
        JsonNode type = schema.path("type");
        return type.asString("").equals("null")
                || type.valueStream().anyMatch(one -> one.asString("").equals("null"))
                || schema.path("enum").valueStream().anyMatch(JsonNode::isNull)
                || schema.path("anyOf").valueStream().anyMatch(branch -> allowsNull(contract, branch))
                || (schema.has("$ref")
                        && allowsNull(
                                contract, contract.target(schema.path("$ref").asString())));
    }
}
