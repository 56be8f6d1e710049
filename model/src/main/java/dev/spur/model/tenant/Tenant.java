package dev.spur.model.tenant;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
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
 * @param maxRunSeconds maximum time limit of a job in its subtree, and the default one; null for none
 */
public record Tenant(
        String name,
        @Nullable String parent,
        double weight,
        Map<String, Quota> quotas,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double maxRunSeconds) {
    @JsonCreator
    public Tenant {
        Checks.nonBlank("name", name);
        Checks.positive("weight", weight);
        quotas = Checks.copy(quotas);
        Checks.require(maxRunSeconds == null || maxRunSeconds > 0, "maxRunSeconds (%s) must be above 0", maxRunSeconds);
    }

    /** A tenant without a maximum run time. */
    public Tenant(String name, @Nullable String parent, double weight, Map<String, Quota> quotas) {
        this(name, parent, weight, quotas, null);
    }
}
