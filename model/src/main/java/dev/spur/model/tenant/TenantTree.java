package dev.spur.model.tenant;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The tree of tenants. It requires unique names, existing parents and no cycle. */
public final class TenantTree {
    private final Map<String, Tenant> tenantsByName = new LinkedHashMap<>();
    private final Map<String, List<Tenant>> childTenants = new HashMap<>();
    private final List<Tenant> rootTenants = new ArrayList<>();

    public TenantTree(List<Tenant> tenants) {
        tenants.forEach(tenant -> tenantsByName.put(tenant.name(), tenant));
        for (Tenant tenant : tenants) {
            if (tenant.parent() == null) {
                rootTenants.add(tenant);
            } else {
                childTenants
                        .computeIfAbsent(tenant.parent(), p -> new ArrayList<>())
                        .add(tenant);
            }
        }
    }

    /** Returns the tenants without a parent. */
    public List<Tenant> rootTenants() {
        return rootTenants;
    }

    /** Returns the children of {@code name}. */
    public List<Tenant> childrenOf(String name) {
        return childTenants.getOrDefault(name, List.of());
    }

    /** Returns true if {@code name} is {@code ancestor} or a descendant of it. */
    public boolean isWithin(String name, String ancestor) {
        for (Tenant at = tenantsByName.get(name); at != null; at = parentOf(at)) {
            if (at.name().equals(ancestor)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the product of the weights from {@code name} to the root; 1 for an unknown tenant. */
    public double weightOf(String name) {
        double weight = 1;
        for (Tenant at = tenantsByName.get(name); at != null; at = parentOf(at)) {
            weight *= at.weight();
        }
        return weight;
    }

    private @Nullable Tenant parentOf(Tenant tenant) {
        return tenant.parent() == null ? null : tenantsByName.get(tenant.parent());
    }
}
