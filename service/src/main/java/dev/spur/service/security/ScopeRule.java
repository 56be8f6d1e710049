package dev.spur.service.security;

import java.util.Locale;

/** What a caller meets at an operation that is not open to it as a whole; the contract spells these in lower case. */
public enum ScopeRule {
    /** What the path names must be within reach; otherwise it is answered as if there were none. */
    OWN,
    /** The operation itself shows and touches only what is within reach. */
    FILTERED,
    /** Nothing there belongs to anybody. */
    OPEN,
    /** The operation is not for such callers. */
    REFUSED;

    /** @throws IllegalArgumentException if there is no such rule */
    public static ScopeRule named(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }
}
