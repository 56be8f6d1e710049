package dev.spur.service.web.contract;

import dev.spur.service.web.contract.SchemaRule.SizeLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
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
    private static final int DEPTH = 2;

    private final Contract contract;
    private final SchemaRule schema;

    SchemaWalk(Contract contract, SchemaRule schema) {
        this.contract = contract;
        this.schema = schema;
    }

    private interface Visitor {
        /** Visits a value before its parts; returns false to leave out its parts. */
        boolean visit(SchemaRule rule, JsonNode value, @Nullable Place place);
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
            if (value instanceof ObjectNode object) {
                for (String name : rule.absentNulls()) {
                    if (object.path(name).isNull()) {
                        object.remove(name);
                    }
                }
            }
            return true;
        });
    }

    /** Fills in the defaults of absent members, in place; the value must have passed the schema. */
    void fillInDefaults(JsonNode instance) {
        walk(schema, instance, null, (rule, value, place) -> {
            if (value instanceof ObjectNode object) {
                rule.defaults().forEach((name, fallback) -> {
                    if (!object.has(name)) {
                        object.set(name, fallback.deepCopy());
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
                        errors.size() < SchemaCheck.MAX_ERRORS && !isTooLarge(rule.limit(), value, place, errors));
        return errors;
    }

    /** Returns a schema of the contract, or the target of the reference that it contains. */
    JsonNode resolve(JsonNode part) {
        return contract.resolve(part);
    }

    /** Returns the names of the members that the schema knows at a JSON pointer into {@code instance}. */
    Set<String> members(JsonNode instance, String pointer) {
        Set<String> names = new TreeSet<>();
        visitAt(instance, pointer, rule -> names.addAll(rule.properties().keySet()));
        return names;
    }

    /**
     * Returns the JSON pointer at which the schema knows a member of this name within the object at {@code pointer}, at
     * most {@value #DEPTH} levels below it; null if there is none.
     */
    @Nullable
    String inner(JsonNode instance, String pointer, String name) {
        List<String> found = new ArrayList<>();
        visitAt(instance, pointer, rule -> addInner(rule, pointer, name, 0, found));
        return found.isEmpty() ? null : found.get(0);
    }

    private void addInner(SchemaRule rule, String pointer, String name, int depth, List<String> found) {
        if (rule.reference() != null) {
            addInner(contract.rule(rule.reference()), pointer, name, depth, found);
        }
        rule.parts().forEach(part -> addInner(part, pointer, name, depth, found));
        if (depth > 0 && rule.properties().containsKey(name)) {
            found.add(BodyReader.child(pointer, name));
        } else if (depth < DEPTH) {
            rule.properties()
                    .forEach((member, part) ->
                            addInner(part, BodyReader.child(pointer, member), name, depth + 1, found));
        }
    }

    private void visitAt(JsonNode instance, String pointer, Consumer<SchemaRule> visitor) {
        walk(schema, instance, null, (rule, value, place) -> {
            String current = Place.pointer(place);
            if (current.equals(pointer)) {
                visitor.accept(rule);
            }
            return pointer.startsWith(current);
        });
    }

    private static boolean isTooLarge(
            @Nullable SizeLimit limit, JsonNode value, @Nullable Place place, List<FieldError> errors) {
        if (limit == null || !limit.units().equals(units(value))) {
            return false;
        }
        int size = value.isString()
                ? value.asString().codePointCount(0, value.asString().length())
                : value.size();
        if (size <= limit.max()) {
            return false;
        }
        errors.add(FieldError.at(
                Place.pointer(place), "has %d %s, at most %d are allowed".formatted(size, limit.units(), limit.max())));
        return true;
    }

    private static String units(JsonNode value) {
        return value.isArray() ? "items" : value.isObject() ? "members" : value.isString() ? "characters" : "";
    }

    private void walk(SchemaRule rule, JsonNode value, @Nullable Place place, Visitor visitor) {
        if (!visitor.visit(rule, value, place)) {
            return;
        }
        if (rule.reference() != null) {
            walk(contract.rule(rule.reference()), value, place, visitor);
        }
        for (SchemaRule part : rule.parts()) {
            walk(part, value, place, visitor);
        }
        if (rule.choice() != null) {
            walk(rule.choice().of(value), value, place, visitor);
        }
        if (value.isObject()) {
            walkMembers(rule, value, place, visitor);
        } else if (value.isArray() && rule.items() != null) {
            for (int i = 0; i < value.size(); i++) {
                walk(rule.items(), value.get(i), new Place(place, i), visitor);
            }
        }
    }

    private void walkMembers(SchemaRule rule, JsonNode object, @Nullable Place place, Visitor visitor) {
        if (rule.properties().isEmpty() && rule.others() == null) {
            return;
        }
        for (Map.Entry<String, JsonNode> member : object.properties()) {
            SchemaRule part = rule.properties().getOrDefault(member.getKey(), rule.others());
            if (part != null) {
                walk(part, member.getValue(), new Place(place, member.getKey()), visitor);
            }
        }
    }
}
