package dev.spur.service.web.contract;

import dev.spur.service.security.AccessScope;
import dev.spur.service.security.Role;
import dev.spur.service.security.ScopeRule;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * An operation of the contract.
 *
 * @param method HTTP method, upper case
 * @param path path template
 * @param roles roles of which the caller needs one
 * @param forTenants scope rule for callers that are confined to tenants
 * @param forNode scope rule for callers that are confined to a node
 * @param audited true if the audit trail records its changes
 * @param bodies schemas of its request body by media type; empty without a body
 * @param mostBytes size limit of its body
 * @param produces media types of its successful responses
 */
public record Operation(
        String id,
        String method,
        String path,
        Set<Role> roles,
        ScopeRule forTenants,
        ScopeRule forNode,
        boolean audited,
        List<Operation.Parameter> parameters,
        Map<String, SchemaCheck> bodies,
        int mostBytes,
        Set<String> produces) {
    /** Default size limit of a body. Only larger bodies count for the limit of large bodies. */
    static final int ORDINARY_BYTES = 256 << 10;

    /** Index of the collection segment; the segments before it are empty, api and the version. */
    private static final int COLLECTION = 3;

    public Operation {
        roles = Set.copyOf(roles);
        parameters = List.copyOf(parameters);
        bodies = Map.copyOf(bodies);
        produces = Set.copyOf(produces);
    }

    /** True if {@code scopeRule} applies to a caller with that scope. */
    boolean meets(ScopeRule scopeRule, AccessScope reach) {
        return (reach.tenants() != null && forTenants == scopeRule) || (reach.node() != null && forNode == scopeRule);
    }

    /** The collection that contains the resource of the path, such as {@code jobs}: the segment after the version. */
    String collection() {
        return path.split("/", -1)[COLLECTION];
    }

    /** Name of the first variable of the path, which identifies the resource. */
    String firstVariable() {
        return path.substring(path.indexOf('{') + 1, path.indexOf('}'));
    }

    /**
     * A parameter of an operation.
     *
     * @param in {@code path}, {@code query} or {@code header}
     * @param required true if the parameter is mandatory
     * @param type type of its schema, or of the items if it is an array
     * @param array true if it is repeatable
     * @param fallback its default; null if it has none
     * @param check its schema
     */
    record Parameter(
            String name,
            String in,
            boolean required,
            String type,
            boolean array,
            @Nullable JsonNode fallback,
            SchemaCheck check) {
        private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
        private static final Pattern WHOLE = Pattern.compile("-?[0-9]{1,18}");

        /**
         * Converts received values, at least one, to JSON of the type in the schema. A text that does not have that
         * type stays text.
         */
        JsonNode parse(List<String> values) {
            if (!array) {
                return parse(values.get(0));
            }
            ArrayNode all = NODES.arrayNode();
            values.forEach(value -> all.add(parse(value)));
            return all;
        }

        FieldError error(String message) {
            return in.equals("header") ? FieldError.inHeader(name, message) : FieldError.inParameter(name, message);
        }

        private JsonNode parse(String value) {
            if (type.equals("integer") && WHOLE.matcher(value).matches()) {
                return NODES.numberNode(Long.parseLong(value));
            }
            if (type.equals("boolean") && (value.equals("true") || value.equals("false"))) {
                return NODES.booleanNode(value.equals("true"));
            }
            return NODES.stringNode(value);
        }
    }
}
