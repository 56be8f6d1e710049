package dev.spur.service.contract;

import dev.spur.service.security.AccessScope;
import dev.spur.service.security.Role;
import dev.spur.service.security.ScopeRule;
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
 * @param forTenants what a caller meets that is confined to tenants
 * @param forNode what a caller meets that is confined to a node
 * @param audited true if what it changes is put down in the audit trail
 * @param parameters its parameters
 * @param bodies what it reads, by media type; empty if it reads nothing
 * @param mostBytes limit of the size of its body
 * @param produces media types of its successful answers
 */
public record Operation(
        String id,
        String method,
        String path,
        Set<Role> roles,
        ScopeRule forTenants,
        ScopeRule forNode,
        boolean audited,
        List<Parameter> parameters,
        Map<String, BodyRule> bodies,
        int mostBytes,
        Set<String> produces) {
    /** Paths begin with an empty segment, api and the version. */
    private static final int COLLECTION = 3;

    public Operation {
        roles = Set.copyOf(roles);
        parameters = List.copyOf(parameters);
        bodies = Map.copyOf(bodies);
        produces = Set.copyOf(produces);
    }

    /** True if a caller with that reach meets {@code scopeRule} here. */
    boolean meets(ScopeRule scopeRule, AccessScope reach) {
        return (reach.tenants() != null && forTenants == scopeRule) || (reach.node() != null && forNode == scopeRule);
    }

    /** The collection whose members the path names, such as {@code jobs}: the segment after the version. */
    String collection() {
        return path.split("/", -1)[COLLECTION];
    }

    /**
     * What a body must be.
     *
     * @param check its schema
     * @param defaults what is filled in
     * @param nulls removes null where it means the same as an absent property
     */
    record BodyRule(SchemaCheck check, Defaults defaults, AbsentNulls nulls) {}
}
