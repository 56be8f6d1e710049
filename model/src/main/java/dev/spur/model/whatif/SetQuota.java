package dev.spur.model.whatif;

import dev.spur.model.Checks;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.tenant.Quota;
import dev.spur.model.tenant.Tenant;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Another quota of a tenant.
 *
 * @param tenant its name
 * @param acceleratorType accelerator type of the quota
 * @param quota the new quota; null for no limit
 */
public record SetQuota(
        String tenant, String acceleratorType, @Nullable Quota quota) implements Change {
    public SetQuota {
        Checks.nonBlank("tenant", tenant);
        Checks.nonBlank("acceleratorType", acceleratorType);
    }

    @Override
    public RoundProblem applyTo(RoundProblem problem, WithheldJobs withheldJobs) {
        new ChangeValidator(problem, withheldJobs)
                .tenant(tenant)
                .type("/acceleratorType", acceleratorType)
                .throwIfInvalid();
        return problem.withTenants(problem.tenants().stream()
                .map(other -> other.name().equals(tenant) ? limit(other) : other)
                .toList());
    }

    private Tenant limit(Tenant oldTenant) {
        Map<String, Quota> quotas = new TreeMap<>(oldTenant.quotas());
        if (quota == null) {
            quotas.remove(acceleratorType);
        } else {
            quotas.put(acceleratorType, quota);
        }
        return new Tenant(oldTenant.name(), oldTenant.parent(), oldTenant.weight(), quotas);
    }

    @Override
    public String describe() {
        return quota == null
                ? "remove the quota of tenant %s for %s".formatted(tenant, acceleratorType)
                : "set the nominal quota of tenant %s for %s to %d".formatted(tenant, acceleratorType, quota.nominal());
    }
}
