package dev.spur.service.api;

import dev.spur.model.tenant.FairShare;
import dev.spur.model.tenant.Quota;
import dev.spur.model.tenant.Tenant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A tenant as callers see it.
 *
 * @param pastUsage how it stands by what it has used; null where the past does not count
 */
record TenantView(
        String name,
        @Nullable String parent,
        double weight,
        Map<String, Quota> quotas,
        @Nullable PastUsage pastUsage) {
    /**
     * How a tenant stands.
     *
     * @param slotSeconds what its own jobs have held, each second decayed by its age
     * @param share its weight as a share of those of the tenants beside it
     * @param used what it and all below it have used as a share of what they and the tenants beside it have
     * @param factor on the weight of its jobs
     */
    record PastUsage(double slotSeconds, double share, double used, double factor) {}

    static TenantView of(Tenant tenant, @Nullable FairShare fairShare) {
        return new TenantView(
                tenant.name(),
                tenant.parent(),
                tenant.weight(),
                tenant.quotas(),
                fairShare == null ? null : past(tenant.name(), fairShare));
    }

    private static PastUsage past(String tenant, FairShare fairShare) {
        FairShare.TenantShare standing = fairShare.of(tenant);
        return new PastUsage(fairShare.slotSeconds(tenant), standing.share(), standing.used(), standing.factor());
    }
}
