package dev.spur.service.intake;

import dev.spur.service.store.JobStore;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/** Forgets idempotency keys some time after the day for which they are promised. */
@Component
class KeyExpiry implements DisposableBean {
    private static final Logger LOG = LoggerFactory.getLogger(KeyExpiry.class);
    private static final int KEPT_HOURS = 48;

    private final JobStore jobs;
    private final ScheduledThreadPoolExecutor clock;

    @SuppressWarnings("FutureReturnValueIgnored") // what a run throws it logs itself
    KeyExpiry(JobStore jobs) {
        this.jobs = jobs;
        this.clock = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "spur-keys");
            thread.setDaemon(true);
            return thread;
        });
        clock.scheduleWithFixedDelay(this::forget, 1, 1, TimeUnit.HOURS);
    }

    private void forget() {
        try {
            jobs.forgetKeys(KEPT_HOURS);
        } catch (RuntimeException away) {
            LOG.warn("old idempotency keys stay for another hour: {}", away.getMessage());
        }
    }

    @Override
    public void destroy() {
        clock.shutdownNow();
    }
}
