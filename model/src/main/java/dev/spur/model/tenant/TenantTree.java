package dev.spur.model.tenant;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The tree of tenants, for walking. It takes the tree to be sound: unique names, known parents, no cycle. */
public final class TenantTree {
    private final Map<String, Tenant> byName = new LinkedHashMap<>();
    private final Map<String, List<Tenant>> children = new HashMap<>();
    private final List<Tenant> tops = new ArrayList<>();

    public TenantTree(List<Tenant> tenants) {
        tenants.forEach(tenant -> byName.put(tenant.name(), tenant));
        for (Tenant tenant : tenants) {
            if (tenant.parent() == null) {
                tops.add(tenant);
            } else {
                children.computeIfAbsent(tenant.parent(), p -> new ArrayList<>())
                        .add(tenant);
            }
        }
    }

    /** The tenants without a parent. */
    public List<Tenant> tops() {
        return tops;
    }

    /** The tenants right below {@code name}. */
    public List<Tenant> childrenOf(String name) {
        return children.getOrDefault(name, List.of());
    }

    /** True if {@code name} is {@code ancestor} or below it. */
    public boolean isWithin(String name, String ancestor) {
        for (Tenant at = byName.get(name); at != null; at = parentOf(at)) {
            if (at.name().equals(ancestor)) {
                return true;
            }
        }
        return false;
    }

    /** Product of the weights from {@code name} to the top; 1 for an unknown tenant. */
    public double weightOf(String name) {
        double weight = 1;
        for (Tenant at = byName.get(name); at != null; at = parentOf(at)) {
            weight *= at.weight();
        }
        return weight;
    }

    private @Nullable Tenant parentOf(Tenant tenant) {
        return tenant.parent() == null ? null : byName.get(tenant.parent());
    }
}
