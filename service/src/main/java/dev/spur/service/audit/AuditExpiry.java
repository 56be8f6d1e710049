package dev.spur.service.audit;

import dev.spur.service.store.AuditStore;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/** Forgets what was put down long ago, a part at a time. */
@Component
class AuditExpiry implements DisposableBean {
    private static final Logger LOG = LoggerFactory.getLogger(AuditExpiry.class);

    private final AuditStore store;
    private final AuditProperties properties;
    private final ScheduledThreadPoolExecutor clock;

    @SuppressWarnings("FutureReturnValueIgnored") // what a run throws it logs itself
    AuditExpiry(AuditStore store, AuditProperties properties) {
        this.store = store;
        this.properties = properties;
        this.clock = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "spur-audit");
            thread.setDaemon(true);
            return thread;
        });
        clock.scheduleWithFixedDelay(this::forget, 1, 1, TimeUnit.HOURS);
    }

    private void forget() {
        try {
            store.forget(properties.keepDays());
        } catch (RuntimeException away) {
            LOG.warn("old rows of the audit trail stay for another hour: {}", away.getMessage());
        }
    }

    @Override
    public void destroy() {
        clock.shutdownNow();
    }
}
