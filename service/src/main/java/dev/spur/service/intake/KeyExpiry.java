package dev.spur.service.intake;

import dev.spur.service.store.JobStore;
import dev.spur.service.store.LearningStore;
import dev.spur.service.store.LossStore;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/** Forgets idempotency keys some time after the day for which they are promised, and what jobs taught that ended long ago. */
@Component
class KeyExpiry implements DisposableBean {
    private static final Logger LOG = LoggerFactory.getLogger(KeyExpiry.class);
    private static final int KEPT_HOURS = 48;

    private final JobStore jobs;
    private final LearningStore learning;
    private final LossStore losses;
    private final ScheduledThreadPoolExecutor clock;

    @SuppressWarnings("FutureReturnValueIgnored") // what a run throws it logs itself
    KeyExpiry(JobStore jobs, LearningStore learning, LossStore losses) {
        this.jobs = jobs;
        this.learning = learning;
        this.losses = losses;
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
            learning.forget();
            losses.forget();
        } catch (RuntimeException away) {
            LOG.warn("what is too old stays for another hour: {}", away.getMessage());
        }
    }

    @Override
    public void destroy() {
        clock.shutdownNow();
    }
}
