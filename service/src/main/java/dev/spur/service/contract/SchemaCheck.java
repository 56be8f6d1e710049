package dev.spur.service.contract;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** One compiled schema. */
public final class SchemaCheck {
    private static final String NULL_BRANCH = "/anyOf/1/type";

    private final Schema schema;

    SchemaCheck(Schema schema) {
        this.schema = schema;
        schema.initializeValidators();
    }

    /** Everything in which {@code instance} differs from the schema, by JSON pointer; empty if nothing does. */
    public List<FieldError> errors(JsonNode instance) {
        List<Error> found = schema.validate(instance);
        if (found.isEmpty()) {
            return List.of();
        }
        Set<FieldError> errors = new LinkedHashSet<>();
        for (Error error : found) {
            if (!isOtherBranch(error, found)) {
                errors.add(FieldError.at(pointer(error), message(error)));
            }
        }
        return new ArrayList<>(errors);
    }

    /** A value that may be null and is wrong as a value need not hear that it is not null either. */
    private static boolean isOtherBranch(Error error, List<Error> all) {
        String path = error.getEvaluationPath().toString();
        if (!path.endsWith(NULL_BRANCH)) {
            return false;
        }
        String value = path.substring(0, path.length() - NULL_BRANCH.length()) + "/anyOf/0";
        return all.stream()
                .anyMatch(other -> other.getEvaluationPath().toString().startsWith(value));
    }

    private static String pointer(Error error) {
        String place = error.getInstanceLocation().toString();
        String property = error.getProperty();
        return property == null
                ? place
                : place + "/" + property.replace("~", "~0").replace("/", "~1");
    }

    private static String message(Error error) {
        String text = error.getMessage();
        return switch (error.getKeyword()) {
            case "required" -> "is required";
            case "additionalProperties" -> "is not known here";
            default -> text == null ? "does not fit the schema" : text;
        };
    }
}
