package dev.spur.service.executor;

import dev.spur.service.retention.RetentionTask;
import dev.spur.service.store.GangStore;
import org.springframework.stereotype.Component;

/** Deletes ended gangs and assignments. */
@Component
class GangRetention implements RetentionTask {
    private static final int KEPT_HOURS = 24;

    private final GangStore gangs;

    GangRetention(GangStore gangs) {
        this.gangs = gangs;
    }

    @Override
    public String what() {
        return "assignments";
    }

    @Override
    public void forget() {
        gangs.prune(KEPT_HOURS);
    }
}
