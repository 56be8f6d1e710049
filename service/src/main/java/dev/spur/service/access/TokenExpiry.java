package dev.spur.service.access;

import dev.spur.service.store.TokenStore;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/** Forgets tokens some time after they have ended. */
@Component
class TokenExpiry implements DisposableBean {
    private static final Logger LOG = LoggerFactory.getLogger(TokenExpiry.class);

    private final TokenStore tokens;
    private final SecurityProperties properties;
    private final ScheduledThreadPoolExecutor clock;

    @SuppressWarnings("FutureReturnValueIgnored") // what a run throws it logs itself
    TokenExpiry(TokenStore tokens, SecurityProperties properties) {
        this.tokens = tokens;
        this.properties = properties;
        this.clock = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "spur-tokens");
            thread.setDaemon(true);
            return thread;
        });
        clock.scheduleWithFixedDelay(this::forget, 1, 1, TimeUnit.HOURS);
    }

    private void forget() {
        try {
            tokens.forget(properties.keepTokenDays());
        } catch (RuntimeException away) {
            LOG.warn("tokens that have ended stay for another hour: {}", away.getMessage());
        }
    }

    @Override
    public void destroy() {
        clock.shutdownNow();
    }
}
