package dev.spur.model.tenant;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What tenants have used beside what is their share, level by level of the tree. Among the tenants below the same one,
 * with U what a tenant and all below it have used as a share of what all of them have, and S its weight as a share of
 * their weights:
 *
 * <pre>
 * factor = 2^(strength * (1 - min(U / S, 4)))
 * </pre>
 *
 * so that it is 1 where both are alike, at most 2^strength for who has used nothing, and at least 2^(-3 strength).
 * Where nobody has used anything it is 1. The factor of a tenant is the product of those from it to the top.
 *
 * <p>Source: the fair-share factor of Slurm's multifactor plugin, 2^(-U / S), whose usage decays with a half-life
 * (slurm.schedmd.com/classic_fair_share.html); taken relative to the balance, bounded, and applied to each level of the
 * tree.
 */
public final class FairShare {
    private static final double MOST_RATIO = 4;

    /**
     * How a tenant stands among those below the same one.
     *
     * @param share its weight as a share of their weights, above 0, at most 1
     * @param used what it and all below it have used as a share of what all of them have; 0 if nobody has used anything
     * @param factor on the weight of its jobs, of this level and all above
     */
    public record TenantShare(double share, double used, double factor) {
        /** Of a tenant that is alone, or where the past does not count. */
        public static final TenantShare EVEN = new TenantShare(1, 1, 1);
    }

    private final TenantTree tree;
    private final FairShareSettings settings;
    private final Map<String, Double> own = new HashMap<>();
    private final Map<String, TenantShare> standings = new HashMap<>();

    public FairShare(List<Tenant> tenants, List<PastUsage> usage, FairShareSettings settings) {
        this.tree = new TenantTree(tenants);
        this.settings = settings;
        usage.forEach(past -> own.merge(past.tenant(), past.slotSeconds(), Double::sum));
        if (settings.counts()) {
            compare(tree.tops(), 1);
        }
    }

    private void compare(List<Tenant> siblings, double above) {
        double weights = siblings.stream().mapToDouble(Tenant::weight).sum();
        double used =
                siblings.stream().mapToDouble(tenant -> usedBy(tenant.name())).sum();
        for (Tenant tenant : siblings) {
            double share = tenant.weight() / weights;
            double part = used > 0 ? usedBy(tenant.name()) / used : 0;
            double ratio = used > 0 ? Math.min(part / share, MOST_RATIO) : 1;
            double factor = above * Math.pow(2, settings.strength() * (1 - ratio));
            standings.put(tenant.name(), new TenantShare(share, part, factor));
            compare(tree.childrenOf(tenant.name()), factor);
        }
    }

    /** Slot-seconds of {@code tenant} and all below it. */
    private double usedBy(String tenant) {
        double sum = own.getOrDefault(tenant, 0.0);
        for (Tenant below : tree.childrenOf(tenant)) {
            sum += usedBy(below.name());
        }
        return sum;
    }

    /** Slot-seconds of the jobs of {@code tenant} itself. */
    public double slotSeconds(String tenant) {
        return own.getOrDefault(tenant, 0.0);
    }

    /** How {@code tenant} stands; even for an unknown one. */
    public TenantShare of(String tenant) {
        return standings.getOrDefault(tenant, TenantShare.EVEN);
    }

    /** Product of the weights from {@code tenant} to the top, times its factor. */
    public double weightOf(String tenant) {
        return tree.weightOf(tenant) * of(tenant).factor();
    }
}
