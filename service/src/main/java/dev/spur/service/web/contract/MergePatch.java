package dev.spur.service.web.contract;

import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Applies merge patches (RFC 7396) to resources. A removed member returns to its default. */
@Component
public class MergePatch {
    private final Contract contract;

    MergePatch(Contract contract) {
        this.contract = contract;
    }

    /**
     * Applies a patch and validates the result.
     *
     * @param schema name of its schema in the contract
     * @param tree the resource as JSON; changed in place
     * @throws ProblemException 422 with all errors if the result is invalid
     */
    public <T> T apply(String schema, ObjectNode tree, JsonNode patch, Class<T> type) {
        merge(tree, patch);
        List<FieldError> errors = contract.complete(schema, tree);
        if (!errors.isEmpty()) {
            throw ProblemException.of(ProblemType.UNPROCESSABLE, errors);
        }
        return Binder.bind(tree, type);
    }

    /**
     * Applies a patch whose schema already guarantees a valid result, except for rules across fields.
     *
     * @param tree the value as JSON; changed in place
     * @throws ProblemException 422 with all errors if the result is invalid
     */
    public <T> T apply(ObjectNode tree, JsonNode patch, Class<T> type) {
        merge(tree, patch);
        return Binder.bind(tree, type);
    }

    private static void merge(ObjectNode target, JsonNode patch) {
        for (Map.Entry<String, JsonNode> entry : patch.properties()) {
            JsonNode value = entry.getValue();
            if (value.isNull()) {
                target.remove(entry.getKey());
            } else if (value.isObject()) {
                if (!target.path(entry.getKey()).isObject()) {
                    target.putObject(entry.getKey());
                }
                merge((ObjectNode) target.path(entry.getKey()), value);
            } else {
                target.set(entry.getKey(), value);
            }
        }
    }
}
