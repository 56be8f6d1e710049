package dev.spur.service.security;

import java.util.Locale;

/** Role of a principal. */
public enum Role {
    /** Reads all resources. */
    VIEWER,
    /** Submits and changes jobs. */
    SUBMITTER,
    /** Runs jobs and reports their progress. */
    EXECUTOR,
    /** Changes the cluster, the tenants and the settings. */
    OPERATOR;

    /**
     * Returns the role of a name in any case, for settings. @throws IllegalArgumentException if there is no such role
     */
    public static Role ofName(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }
}
