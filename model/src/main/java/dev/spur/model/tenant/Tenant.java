package dev.spur.model.tenant;

import dev.spur.model.Checks;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A node of the tenant tree, to which jobs belong.
 *
 * @param name unique name
 * @param parent name of the parent tenant; null for a root
 * @param weight factor of the weight of every job in its subtree
 * @param quotas quota by accelerator type; a type without one is not limited by this tenant
 */
public record Tenant(String name, @Nullable String parent, double weight, Map<String, Quota> quotas) {
    public Tenant {
        Checks.nonBlank("name", name);
        Checks.positive("weight", weight);
        quotas = Checks.copy(quotas);
    }
}
