package dev.spur.service.audit;

import dev.spur.service.retention.RetentionTask;
import dev.spur.service.store.AuditStore;
import org.springframework.stereotype.Component;

/** Deletes rows whose retention has expired. */
@Component
class AuditRetention implements RetentionTask {
    private final AuditStore store;
    private final AuditProperties properties;

    AuditRetention(AuditStore store, AuditProperties properties) {
        this.store = store;
        this.properties = properties;
    }

    @Override
    public String what() {
        return "audit rows";
    }

    @Override
    public void forget() {
        store.forget(properties.keepDays());
    }
}
