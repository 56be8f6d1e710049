package dev.spur.service.retention;

import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/** Lets all that is {@link RetentionTask} forget once an hour, one after the other. */
@Component
class RetentionScheduler implements DisposableBean {
    private static final Logger LOG = LoggerFactory.getLogger(RetentionScheduler.class);

    private final List<RetentionTask> all;
    private final ScheduledThreadPoolExecutor clock =
            new ScheduledThreadPoolExecutor(1, DaemonThreads.named("spur-forgetting"));

    @SuppressWarnings("FutureReturnValueIgnored") // what a run throws is logged
    RetentionScheduler(List<RetentionTask> all) {
        this.all = List.copyOf(all);
        clock.scheduleWithFixedDelay(this::forget, 1, 1, TimeUnit.HOURS);
    }

    /** Once each; what fails for one is no reason for another to keep anything. */
    void forget() {
        for (RetentionTask each : all) {
            try {
                each.forget();
            } catch (RuntimeException away) {
                LOG.warn("{} that are too old stay for another hour: {}", each.what(), away.getMessage());
            }
        }
    }

    @Override
    public void destroy() {
        clock.shutdownNow();
    }
}
