package dev.spur.service.job;

import dev.spur.service.retention.RetentionTask;
import dev.spur.service.store.JobStore;
import org.springframework.stereotype.Component;

/** Deletes idempotency keys some time after the guaranteed day. */
@Component
class KeyRetention implements RetentionTask {
    private static final int KEPT_HOURS = 48;

    private final JobStore jobs;

    KeyRetention(JobStore jobs) {
        this.jobs = jobs;
    }

    @Override
    public String what() {
        return "idempotency keys";
    }

    @Override
    public void forget() {
        jobs.forgetKeys(KEPT_HOURS);
    }
}
