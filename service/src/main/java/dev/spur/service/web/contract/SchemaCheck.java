package dev.spur.service.web.contract;

import com.networknt.schema.Error;
import com.networknt.schema.ExecutionConfig;
import com.networknt.schema.ExecutionContext;
import com.networknt.schema.OutputFormat;
import com.networknt.schema.Schema;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** One compiled schema. */
final class SchemaCheck {
    /** Maximum errors reported, so that a body with many errors does not cost a multiple of its size. */
    static final int MAX_ERRORS = 100;

    private static final String NULL_BRANCH = "/anyOf/1/type";

    private final Schema schema;
    private final SchemaWalk walk;

    SchemaCheck(Schema schema, SchemaWalk walk) {
        this.schema = schema;
        this.walk = walk;
        schema.initializeValidators();
    }

    /**
     * One error for each part of {@code instance} that violates the schema; empty if it is valid. The check stops after
     * {@link #MAX_ERRORS} violations. If a part is too large, only such parts are reported, and the rest is not
     * validated.
     */
    public List<FieldError> errors(JsonNode instance) {
        List<FieldError> tooLarge = sizeErrors(instance);
        return tooLarge.isEmpty() ? schemaErrors(instance) : tooLarge;
    }

    /** The parts that exceed the size limits; empty if there are none. */
    List<FieldError> sizeErrors(JsonNode instance) {
        return walk.sizeErrors(instance);
    }

    /** As {@link #errors}, of a value that has passed the size limits. */
    List<FieldError> schemaErrors(JsonNode instance) {
        List<Error> found = validate(instance);
        return new SchemaMessages(walk, instance)
                .of(found.stream().filter(error -> !isOtherBranch(error, found)).toList());
    }

    /**
     * Removes null where it means the same as an absent property, in place. The value must have passed the size limits.
     */
    void removeAbsentNulls(JsonNode instance) {
        walk.removeAbsentNulls(instance);
    }

    /** Fills in the defaults of absent members, in place; the value must have passed the schema. */
    void fillInDefaults(JsonNode instance) {
        walk.fillInDefaults(instance);
    }

    private List<Error> validate(JsonNode instance) {
        BoundedExecutionContext context =
                new BoundedExecutionContext(schema.createExecutionContext().getExecutionConfig());
        try {
            schema.validate(context, instance, OutputFormat.DEFAULT);
        } catch (ErrorLimitException stop) {
            return context.all();
        }
        return context.all();
    }

    /** Ends a validation that has reached the error limit. */
    private static final class ErrorLimitException extends RuntimeException {
        private static final long serialVersionUID = 1;

        ErrorLimitException() {
            super("error limit reached", null, false, false);
        }
    }

    /**
     * A run of the validator with an error limit, which the validator itself lacks. Alternatives collect their errors
     * separately.
     */
    private static final class BoundedExecutionContext extends ExecutionContext {
        private final List<Error> whole = getErrors();

        BoundedExecutionContext(ExecutionConfig config) {
            super(config);
        }

        @Override
        public void addError(Error error) {
            super.addError(error);
            stopIfEnough();
        }

        @Override
        public void setErrors(List<Error> errors) {
            super.setErrors(errors);
            stopIfEnough();
        }

        private void stopIfEnough() {
            if (getErrors().size() >= MAX_ERRORS) {
                throw new ErrorLimitException();
            }
        }

        List<Error> all() {
            List<Error> all = new ArrayList<>(whole);
            if (getErrors() != whole) {
                all.addAll(getErrors());
            }
            return all;
        }
    }

    /** True for the "not null" error of a nullable value whose other branch already reports an error. */
    private static boolean isOtherBranch(Error error, List<Error> all) {
        String path = error.getEvaluationPath().toString();
        if (!path.endsWith(NULL_BRANCH)) {
            return false;
        }
        String value = path.substring(0, path.length() - NULL_BRANCH.length()) + "/anyOf/0";
        return all.stream()
                .anyMatch(other -> other.getEvaluationPath().toString().startsWith(value));
    }
}
