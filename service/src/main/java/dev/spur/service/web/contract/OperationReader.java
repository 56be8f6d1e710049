package dev.spur.service.web.contract;

import dev.spur.service.security.Role;
import dev.spur.service.security.ScopeRule;
import dev.spur.service.web.contract.Operation.Parameter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Parses the operations of the contract. */
final class OperationReader {
    private OperationReader() {}

    static Operation read(Contract contract, String path, String method) {
        String pointer = "/paths/" + path.replace("~", "~0").replace("/", "~1") + "/" + method;
        JsonNode node = contract.document().at(pointer);
        Set<Role> roles = node.path("x-spur-roles")
                .valueStream()
                .map(role -> Role.valueOf(role.asString()))
                .collect(Collectors.toSet());
        return new Operation(
                node.path("operationId").asString(),
                method.toUpperCase(Locale.ROOT),
                path,
                roles,
                scopeRule(node, "tenants"),
                scopeRule(node, "node"),
                node.path("x-spur-audit").asBoolean(false),
                parameters(contract, node, pointer),
                bodies(contract, node, pointer),
                node.path("x-spur-most-bytes").asInt(Operation.ORDINARY_BYTES),
                produces(contract, node));
    }

    /** Paths outside of the REST API have no scope rule: they are public. */
    private static ScopeRule scopeRule(JsonNode operation, String by) {
        return ScopeRule.ofName(operation.path("x-spur-scope").path(by).asString(ScopeRule.FORBIDDEN.name()));
    }

    private static List<Parameter> parameters(Contract contract, JsonNode operation, String pointer) {
        List<Parameter> parameters = new ArrayList<>();
        JsonNode list = operation.path("parameters");
        for (int i = 0; i < list.size(); i++) {
            JsonNode entry = list.get(i);
            String place =
                    entry.has("$ref") ? entry.path("$ref").asString().substring(1) : pointer + "/parameters/" + i;
            parameters.add(parameter(contract, contract.resolve(entry), place));
        }
        return parameters;
    }

    private static Parameter parameter(Contract contract, JsonNode node, String pointer) {
        JsonNode schema = schema(contract, node.path("schema"));
        boolean array = schema.path("type").asString("").equals("array");
        JsonNode single = array ? schema(contract, schema.path("items")) : schema;
        return new Parameter(
                node.path("name").asString(),
                node.path("in").asString(),
                node.path("required").asBoolean(false),
                single.path("type").asString("string"),
                array,
                schema.has("default") ? schema.path("default") : null,
                contract.check(pointer + "/schema"));
    }

    /** The target of a reference has the type and default; siblings of the reference only describe it. */
    private static JsonNode schema(Contract contract, JsonNode node) {
        return node.has("$ref") ? contract.target(node.path("$ref").asString()) : node;
    }

    private static Map<String, SchemaCheck> bodies(Contract contract, JsonNode operation, String pointer) {
        Map<String, SchemaCheck> bodies = new HashMap<>();
        operation.path("requestBody").path("content").propertyNames().forEach(type -> {
            String place = pointer + "/requestBody/content/" + type.replace("/", "~1") + "/schema";
            bodies.put(type, contract.check(place));
        });
        return bodies;
    }

    private static Set<String> produces(Contract contract, JsonNode operation) {
        Set<String> types = new LinkedHashSet<>();
        operation.path("responses").properties().forEach(response -> {
            if (response.getKey().startsWith("2")) {
                contract.resolve(response.getValue())
                        .path("content")
                        .properties()
                        .forEach(c -> types.add(c.getKey()));
            }
        });
        return types;
    }
}
