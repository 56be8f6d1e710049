package dev.spur.model.tenant;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The usage of tenants relative to their shares, level by level of the tree. Among siblings, let U be the usage of a
 * tenant's subtree as a fraction of the usage of all siblings, and S its weight as a fraction of their weights:
 *
 * <pre>
 * factor = 2^(strength * (1 - min(U / S, 4)))
 * </pre>
 *
 * <p>The factor is 1 where U equals S, at most 2^strength for a tenant without usage, and at least 2^(-3 strength). It
 * is 1 for all siblings if none of them has any usage. The factor of a tenant's jobs is the product of the factors from
 * the tenant to the root.
 *
 * <p>Source: the fair-share factor of Slurm's multifactor plugin, 2^(-U / S), whose usage decays with a half-life
 * (slurm.schedmd.com/classic_fair_share.html); here it is relative to the balance, bounded, and applied to each level
 * of the tree.
 */
public final class FairShare {
    private static final double MAX_RATIO = 4;

    /**
     * The position of a tenant among its siblings.
     *
     * @param share its weight as a fraction of the siblings' weights, above 0, at most 1
     * @param used usage of its subtree as a fraction of the siblings' usage; 0 if none of them has any
     * @param factor factor of the weight of its jobs, of this level and all above
     */
    public record TenantShare(double share, double used, double factor) {
        /** The position of a tenant without siblings, or while fair share is off. */
        public static final TenantShare EVEN = new TenantShare(1, 1, 1);
    }

    private final TenantTree tree;
    private final FairShareSettings settings;
    private final Map<String, Double> own = new HashMap<>();
    private final Map<String, TenantShare> shares = new HashMap<>();

    public FairShare(List<Tenant> tenants, List<PastUsage> usage, FairShareSettings settings) {
        this.tree = new TenantTree(tenants);
        this.settings = settings;
        usage.forEach(past -> own.merge(past.tenant(), past.slotSeconds(), Double::sum));
        if (settings.isEnabled()) {
            compare(tree.rootTenants(), 1);
        }
    }

    private void compare(List<Tenant> siblingTenants, double above) {
        double weights = siblingTenants.stream().mapToDouble(Tenant::weight).sum();
        double used = siblingTenants.stream()
                .mapToDouble(tenant -> usedBy(tenant.name()))
                .sum();
        for (Tenant tenant : siblingTenants) {
            double share = tenant.weight() / weights;
            double part = used > 0 ? usedBy(tenant.name()) / used : 0;
            double ratio = used > 0 ? Math.min(part / share, MAX_RATIO) : 1;
            double factor = above * Math.pow(2, settings.strength() * (1 - ratio));
            shares.put(tenant.name(), new TenantShare(share, part, factor));
            compare(tree.childrenOf(tenant.name()), factor);
        }
    }

    /** Returns the slot-seconds of the subtree of {@code tenant}. */
    private double usedBy(String tenant) {
        double sum = own.getOrDefault(tenant, 0.0);
        for (Tenant below : tree.childrenOf(tenant)) {
            sum += usedBy(below.name());
        }
        return sum;
    }

    /** Returns the slot-seconds of the jobs of {@code tenant} itself. */
    public double slotSeconds(String tenant) {
        return own.getOrDefault(tenant, 0.0);
    }

    /** Returns the position of {@code tenant}; that of a tenant without siblings if it is unknown. */
    public TenantShare of(String tenant) {
        return shares.getOrDefault(tenant, TenantShare.EVEN);
    }

    /** Returns the product of the weights from {@code tenant} to the root, times its factor. */
    public double weightOf(String tenant) {
        return tree.weightOf(tenant) * of(tenant).factor();
    }
}
