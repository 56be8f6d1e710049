package dev.spur.service.security;

import java.util.Locale;

/** Scope rule of an operation for callers of limited scope; the contract spells the values in lower case. */
public enum ScopeRule {
    /** What the path names must be within reach; otherwise it is answered as if there were none. */
    OWN,
    /** The operation itself shows and touches only what is within reach. */
    FILTERED,
    /** The operation has no scope: its resources have no owner. */
    NONE,
    /** The operation rejects such callers. */
    FORBIDDEN;

    /** @throws IllegalArgumentException if there is no such rule */
    public static ScopeRule named(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }
}
