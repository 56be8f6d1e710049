package dev.spur.service.background;

import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/** Lets all that is {@link Forgetful} forget once an hour, one after the other. */
@Component
class Forgetting implements DisposableBean {
    private static final Logger LOG = LoggerFactory.getLogger(Forgetting.class);

    private final List<Forgetful> all;
    private final ScheduledThreadPoolExecutor clock =
            new ScheduledThreadPoolExecutor(1, Daemons.named("spur-forgetting"));

    @SuppressWarnings("FutureReturnValueIgnored") // what a run throws is logged
    Forgetting(List<Forgetful> all) {
        this.all = List.copyOf(all);
        clock.scheduleWithFixedDelay(this::forget, 1, 1, TimeUnit.HOURS);
    }

    /** Once each; what fails for one is no reason for another to keep anything. */
    void forget() {
        for (Forgetful each : all) {
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
