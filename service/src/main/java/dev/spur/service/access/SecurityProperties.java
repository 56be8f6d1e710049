package dev.spur.service.access;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Who may come in.
 *
 * @param mode whether callers need a token
 * @param tokenCacheSeconds for how long a token that counted is taken to count still, unless another replica tells that
 *     it was revoked
 * @param newOperatorToken true to issue a token for an operator at the start, whatever tokens there are
 * @param keepTokenDays how long tokens that were revoked or have expired are kept
 */
@ConfigurationProperties("spur.security")
public record SecurityProperties(
        @DefaultValue("auto") Mode mode,
        @DefaultValue("5") double tokenCacheSeconds,
        @DefaultValue("false") boolean newOperatorToken,
        @DefaultValue("90") int keepTokenDays) {

    /** Whether callers need a token. */
    public enum Mode {
        /** Only a demo that this machine alone can reach goes without, as long as no token was ever issued. */
        AUTO,
        /** No: every caller on this machine is the operator. */
        LOCAL,
        /** Yes. */
        TOKEN
    }
}
