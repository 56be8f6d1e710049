package dev.spur.service.security;

import java.util.Locale;

/** Scope rule of an operation for callers of limited scope; the contract spells the values in lower case. */
public enum ScopeRule {
    /** The resource of the path must be in scope; otherwise it is treated as missing. */
    OWN,
    /** The operation itself reads and changes only resources in scope. */
    FILTERED,
    /** The operation has no scope: its resources have no owner. */
    NONE,
    /** The operation rejects such callers. */
    FORBIDDEN;

    /**
     * The rule of that name.
     *
     * @throws IllegalArgumentException if there is no such rule
     */
    public static ScopeRule ofName(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }
}
