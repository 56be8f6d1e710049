package dev.spur.service.security;

import java.util.Locale;

/** What a principal may do; the contract spells roles in lower case. */
public enum Role {
    /** Reads. */
    VIEWER,
    /** Submits jobs and changes them. */
    SUBMITTER,
    /** Runs jobs and reports on them. */
    EXECUTOR,
    /** Changes the cluster, the tenants and the settings. */
    OPERATOR;

    /** @throws IllegalArgumentException if there is no such role */
    public static Role named(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }
}
