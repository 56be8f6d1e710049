package dev.spur.model.tenant;

import dev.spur.model.Checks;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A party that submits jobs, a node of the tree of tenants.
 *
 * @param name unique name
 * @param parent name of the tenant above; null at the top
 * @param weight factor on the weight of every job in its subtree
 * @param quotas quota by accelerator type; a type without one is not limited here
 */
public record Tenant(String name, @Nullable String parent, double weight, Map<String, Quota> quotas) {
    public Tenant {
        Checks.named("name", name);
        Checks.positive("weight", weight);
        quotas = Checks.copy(quotas);
    }
}
