package dev.spur.service.api;

import dev.spur.service.audit.AuditProperties;
import dev.spur.service.retention.RetentionTask;
import dev.spur.service.store.MaintenanceStore;
import org.springframework.stereotype.Component;

/** Deletes ended maintenance windows when the audit trail deletes the records of their creation. */
@Component
class MaintenanceRetention implements RetentionTask {
    private final MaintenanceStore windows;
    private final AuditProperties properties;

    MaintenanceRetention(MaintenanceStore windows, AuditProperties properties) {
        this.windows = windows;
        this.properties = properties;
    }

    @Override
    public String what() {
        return "maintenance windows";
    }

    @Override
    public void forget() {
        windows.forget(properties.keepDays());
    }
}
