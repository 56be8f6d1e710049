package dev.spur.service.web.access;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Authentication settings.
 *
 * @param mode whether callers need a token
 * @param tokenCacheTtl time for which a valid token is cached, unless another replica reports its revocation
 * @param newOperatorToken true to issue an operator token at startup, whatever tokens exist
 */
@ConfigurationProperties("spur.security")
public record SecurityProperties(
        @DefaultValue("auto") Mode mode,
        @DefaultValue("5s") Duration tokenCacheTtl,
        @DefaultValue("false") boolean newOperatorToken) {

    /** Authentication modes. */
    public enum Mode {
        /**
         * Local mode for a demo that no other machine can reach and for which no token was ever issued; otherwise token
         * mode.
         */
        AUTO,
        /** Without tokens: every caller on this machine is the operator. */
        LOCAL,
        /** With tokens. */
        TOKEN
    }
}
