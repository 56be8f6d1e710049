package dev.spur.service.retention;

import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/** Runs all {@link RetentionTask}s once an hour, one after the other. */
@Component
class RetentionScheduler implements DisposableBean {
    private static final Logger LOG = LoggerFactory.getLogger(RetentionScheduler.class);

    private final List<RetentionTask> all;
    private final ScheduledThreadPoolExecutor clock =
            new ScheduledThreadPoolExecutor(1, DaemonThreads.named("spur-forgetting"));

    @SuppressWarnings("FutureReturnValueIgnored") // a run logs its exceptions
    RetentionScheduler(List<RetentionTask> all) {
        this.all = List.copyOf(all);
        clock.scheduleWithFixedDelay(this::forget, 1, 1, TimeUnit.HOURS);
    }

    /** Runs each task once. A failing task does not keep the others from running. */
    void forget() {
        for (RetentionTask each : all) {
            try {
                each.forget();
            } catch (RuntimeException away) {
                LOG.warn("cannot delete expired {}, next attempt in one hour: {}", each.what(), away.getMessage());
            }
        }
    }

    @Override
    public void destroy() {
        clock.shutdownNow();
    }
}
