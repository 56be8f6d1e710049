package dev.spur.service.web.contract;

import com.networknt.schema.Error;
import dev.spur.cli.SimilarNames;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Errors of a value for users of the API: one for each wrong part, in words instead of schema keywords. */
final class SchemaMessages {
    /** Keywords by precedence: a value of a wrong type also violates other keywords. */
    private static final List<String> ORDER = List.of("type", "enum", "const", "format", "pattern");

    private final SchemaWalk walk;
    private final JsonNode instance;

    SchemaMessages(SchemaWalk walk, JsonNode instance) {
        this.walk = walk;
        this.instance = instance;
    }

    /** Returns the most specific error of each part of the value, in the order of {@code errors}. */
    List<FieldError> of(List<Error> errors) {
        Map<String, Error> specific = new LinkedHashMap<>();
        errors.forEach(error -> specific.merge(pointer(error), error, SchemaMessages::moreSpecific));
        return specific.entrySet().stream()
                .limit(SchemaCheck.MAX_ERRORS)
                .map(entry -> FieldError.at(entry.getKey(), message(entry.getValue())))
                .toList();
    }

    private static Error moreSpecific(Error first, Error second) {
        return rank(second) < rank(first) ? second : first;
    }

    private static int rank(Error error) {
        int rank = ORDER.indexOf(error.getKeyword());
        return rank < 0 ? ORDER.size() : rank;
    }

    private static String pointer(Error error) {
        String place = error.getInstanceLocation().toString();
        return error.getProperty() == null ? place : BodyReader.child(place, error.getProperty());
    }

    private String message(Error error) {
        JsonNode limit = error.getSchemaNode();
        JsonNode value = error.getInstanceNode();
        return switch (error.getKeyword()) {
            case "required" -> "is required";
            case "additionalProperties" -> "is unknown" + nearest(error);
            case "type" -> "is %s; %s is required".formatted(kind(value), kinds(limit));
            case "enum" -> "must be one of " + choices(limit) + similarChoice(value, limit);
            case "format" -> "is not " + example(limit.asString());
            case "minimum" -> "must be at least %s; it is %s".formatted(limit.asString(), value.asString());
            case "exclusiveMinimum" -> "must be above %s; it is %s".formatted(limit.asString(), value.asString());
            case "maximum" -> "must be at most %s; it is %s".formatted(limit.asString(), value.asString());
            case "exclusiveMaximum" -> "must be below %s; it is %s".formatted(limit.asString(), value.asString());
            case "not" ->
                "must be %s, or at least %s; it is %s"
                        .formatted(
                                limit.path("exclusiveMinimum").asString(),
                                limit.path("exclusiveMaximum").asString(),
                                value.asString());
            case "pattern" -> ofPattern(limit, value.asString());
            case "propertyNames" -> ofName(walk.resolve(limit), error.getProperty());
            default -> String.valueOf(error.getMessage());
        };
    }

    private static String ofPattern(JsonNode pattern, String text) {
        return text.isEmpty()
                ? "must not be empty"
                : PatternMessages.of(pattern.asString())
                        .orElseGet(() -> "must match the regular expression " + pattern.asString());
    }

    /** Returns which limit of {@code schema} the name of a member violates: its length, or else its pattern. */
    private static String ofName(JsonNode schema, String name) {
        int length = name.codePointCount(0, name.length());
        JsonNode max = schema.path("maxLength");
        return max.isNumber() && length > max.asInt()
                ? "has a name of %d characters, at most %d are allowed".formatted(length, max.asInt())
                : ofPattern(schema.path("pattern"), name);
    }

    /** Returns where the contract has a member of this name, or one with a similar name. */
    private String nearest(Error error) {
        String place = error.getInstanceLocation().toString();
        String name = error.getProperty();
        Set<String> known = walk.members(instance, place);
        String inner = known.contains(name) ? null : walk.inner(instance, place, name);
        List<String> similar = SimilarNames.of(name, known);
        if (inner != null) {
            return "; did you mean %s?".formatted(inner);
        }
        return similar.isEmpty() ? "" : "; did you mean %s?".formatted(String.join(" or ", similar));
    }

    private static String kind(JsonNode value) {
        return switch (value.getNodeType()) {
            case STRING -> "a string";
            case NUMBER -> value.isIntegralNumber() ? "an integer" : "a number";
            case BOOLEAN -> "a boolean";
            case ARRAY -> "an array";
            case OBJECT -> "an object";
            case NULL -> "null";
            default -> "of another type";
        };
    }

    private static String kinds(JsonNode types) {
        return (types.isArray() ? types.valueStream() : List.of(types).stream())
                .map(JsonNode::asString)
                .map(type -> switch (type) {
                    case "null" -> type;
                    case "integer", "array", "object" -> "an " + type;
                    default -> "a " + type;
                })
                .collect(Collectors.joining(" or "));
    }

    private static String choices(JsonNode values) {
        return values.valueStream().map(JsonNode::asString).collect(Collectors.joining(", "));
    }

    private static String similarChoice(JsonNode value, JsonNode values) {
        List<String> similar = SimilarNames.of(
                value.asString("").toUpperCase(Locale.ROOT),
                values.valueStream().map(JsonNode::asString).toList());
        return similar.isEmpty() ? "" : "; did you mean %s?".formatted(similar.get(0));
    }

    private static String example(@Nullable String format) {
        return switch (String.valueOf(format)) {
            case "date-time" -> "a time such as 2027-01-31T18:00:00Z";
            case "date" -> "a date such as 2027-01-31";
            case "uuid" -> "an id such as 8f14e45f-ceea-467f-9a36-dedd4bea2543";
            case "uri" -> "a URL such as https://example.org/path";
            default -> "of the format " + format;
        };
    }
}
