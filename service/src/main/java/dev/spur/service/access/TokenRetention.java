package dev.spur.service.access;

import dev.spur.service.retention.RetentionTask;
import dev.spur.service.store.TokenStore;
import org.springframework.stereotype.Component;

/** Deletes tokens some time after their end. */
@Component
class TokenRetention implements RetentionTask {
    private final TokenStore tokens;
    private final SecurityProperties properties;

    TokenRetention(TokenStore tokens, SecurityProperties properties) {
        this.tokens = tokens;
        this.properties = properties;
    }

    @Override
    public String what() {
        return "ended tokens";
    }

    @Override
    public void forget() {
        tokens.forget(properties.keepTokenDays());
    }
}
