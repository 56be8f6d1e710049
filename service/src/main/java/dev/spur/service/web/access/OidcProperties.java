package dev.spur.service.web.access;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The identity provider whose signed tokens are accepted.
 *
 * @param issuer its address, as the tokens contain it; empty for none
 * @param jwksUri address of its keys; empty to discover it from the issuer
 * @param audience required audience of the tokens
 * @param nameClaim claim with the name of the caller
 * @param rolesClaim claim with its roles; points lead into objects
 * @param roles mapping of claim values to roles, as comma-separated {@code value=role}
 * @param tenantsClaim claim with the tenants that viewers and submitters are confined to; the value {@code *} stands
 *     for all. Empty to give access to all tenants
 * @param nodeClaim claim with the node that executors are confined to; the value {@code *} stands for all. Empty to
 *     give access to all nodes
 */
@ConfigurationProperties("spur.security.oidc")
record OidcProperties(
        @DefaultValue("") String issuer,
        @DefaultValue("") String jwksUri,
        @DefaultValue("") String audience,
        @DefaultValue("sub") String nameClaim,
        @DefaultValue("roles") String rolesClaim,

        @DefaultValue(ROLES) String roles,

        @DefaultValue("spur_tenants") String tenantsClaim,
        @DefaultValue("spur_node") String nodeClaim) {

    private static final String ROLES =
            "spur-viewer=VIEWER,spur-submitter=SUBMITTER,spur-executor=EXECUTOR,spur-operator=OPERATOR";

    /** True if an identity provider is configured. */
    boolean isConfigured() {
        return !issuer.isBlank();
    }
}
