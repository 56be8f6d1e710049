package dev.spur.service.access;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The identity provider whose signed tokens are taken.
 *
 * @param issuer its address, as its tokens name it; empty for none
 * @param jwksUri where its keys are; empty to find them by the issuer
 * @param audience what its tokens must be meant for
 * @param nameClaim claim with the name of the caller
 * @param rolesClaim claim with its roles; points lead into objects
 * @param roles what stands in that claim for which role, as {@code value=role} between commas
 * @param tenantsClaim claim with the tenants that viewers and submitters are confined to; {@code *} in it stands for
 *     all. Empty to confine nobody
 * @param nodeClaim claim with the node that executors are confined to; {@code *} in it stands for all. Empty to confine
 *     nobody
 */
@ConfigurationProperties("spur.security.oidc")
public record OidcProperties(
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

    /** True if there is one. */
    boolean isThere() {
        return !issuer.isBlank();
    }
}
