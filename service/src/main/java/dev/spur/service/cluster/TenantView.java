package dev.spur.service.cluster;

import dev.spur.model.tenant.FairShare;
import dev.spur.model.tenant.Quota;
import dev.spur.model.tenant.Tenant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A tenant as the API returns it.
 *
 * @param pastUsage its past usage; null where fair share ignores the past
 */
record TenantView(
        String name,
        @Nullable String parent,
        double weight,
        Map<String, Quota> quotas,
        @Nullable PastUsage pastUsage) {
    /**
     * Past usage of a tenant.
     *
     * @param slotSeconds slot-seconds of its own jobs, each second decayed by its age
     * @param share its weight as a share of the weights of its siblings and itself
     * @param used usage of its subtree as a share of the usage of its siblings and itself
     * @param factor factor on the weight of its jobs
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
