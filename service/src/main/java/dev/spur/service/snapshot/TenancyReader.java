package dev.spur.service.snapshot;

import dev.spur.model.job.JobGroup;
import dev.spur.model.tenant.PastUsage;
import dev.spur.model.tenant.Tenant;
import dev.spur.service.cluster.TenantStore;
import dev.spur.service.job.JobGroupStore;
import dev.spur.service.usage.PastUsageStore;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Reads tenants, their groups of jobs and their past usage as rounds use them. */
@Component
class TenancyReader {
    private final TenantStore tenants;
    private final JobGroupStore groups;
    private final PastUsageStore pastUsage;

    TenancyReader(TenantStore tenants, JobGroupStore groups, PastUsageStore pastUsage) {
        this.tenants = tenants;
        this.groups = groups;
        this.pastUsage = pastUsage;
    }

    List<Tenant> tenants() {
        return tenants.all();
    }

    List<JobGroup> groups() {
        return groups.all();
    }

    /** Returns the past usage of each tenant; empty if fair share has no half-life. */
    List<PastUsage> usage(@Nullable Double halfLifeSeconds) {
        return halfLifeSeconds == null ? List.of() : pastUsage.untilNow(halfLifeSeconds);
    }
}
