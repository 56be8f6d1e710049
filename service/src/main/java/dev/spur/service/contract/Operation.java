package dev.spur.service.contract;

import dev.spur.service.security.Role;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One operation of the contract.
 *
 * @param id its operationId
 * @param method HTTP method, upper case
 * @param path path template
 * @param roles of which a caller needs one
 * @param parameters its parameters
 * @param bodies what it reads, by media type; empty if it reads nothing
 * @param produces media types of its successful answers
 */
public record Operation(
        String id,
        String method,
        String path,
        Set<Role> roles,
        List<Parameter> parameters,
        Map<String, BodyRule> bodies,
        Set<String> produces) {
    public Operation {
        roles = Set.copyOf(roles);
        parameters = List.copyOf(parameters);
        bodies = Map.copyOf(bodies);
        produces = Set.copyOf(produces);
    }

    /**
     * What a body must be.
     *
     * @param check its schema
     * @param defaults what is filled in
     */
    record BodyRule(SchemaCheck check, Defaults defaults) {}
}
