package dev.spur.model.tenant;

import dev.spur.model.Checks;

/**
 * The past usage of a tenant's own jobs, without those of its descendants.
 *
 * @param tenant name of the tenant
 * @param slotSeconds slots times seconds, each second decayed by its age; at least 0
 */
public record PastUsage(String tenant, double slotSeconds) {
    public PastUsage {
        Checks.nonBlank("tenant", tenant);
        Checks.atLeast("slotSeconds", slotSeconds, 0);
    }
}
