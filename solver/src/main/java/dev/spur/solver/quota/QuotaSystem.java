package dev.spur.solver.quota;

import dev.spur.model.job.Job;
import dev.spur.model.quota.ReservedDemand;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.tenant.Quota;
import dev.spur.model.tenant.Tenant;
import dev.spur.model.tenant.TenantTree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Quotas as a tree of accounts per accelerator type. The use of an account is what jobs of its tenants hold plus the
 * claims of the accounts below; its claim is its use, and at least what the tenant keeps for itself.
 */
public final class QuotaSystem {
    /**
     * What one tenant, or a set of sibling tenants, may use of one type.
     *
     * @param name for people
     * @param type accelerator type
     * @param tenants names of the tenants whose jobs count here directly; empty for a set of siblings
     * @param accounts the accounts below
     * @param kept least claim
     * @param limit most use; {@link Integer#MAX_VALUE} for none
     */
    public record Account(
            String name, String type, Set<String> tenants, List<Account> accounts, long kept, long limit) {}

    private final TenantTree tree;
    private final ReservedDemand need;
    private final List<Account> accounts = new ArrayList<>();
    private final Map<String, Map<String, Long>> untouchable = new HashMap<>();

    public QuotaSystem(RoundProblem problem) {
        tree = new TenantTree(problem.tenants());
        boolean unlimited =
                problem.tenants().stream().allMatch(tenant -> tenant.quotas().isEmpty());
        need = new ReservedDemand(unlimited ? problem.withJobs(List.of()) : problem);
        if (unlimited) {
            return;
        }
        for (Job job : problem.jobs()) {
            if (job.allocation() != null && (!job.spec().preemptible() || job.isProtectedAt(problem.now()))) {
                var held = job.allocation().configuration();
                untouchable
                        .computeIfAbsent(held.acceleratorType(), t -> new HashMap<>())
                        .merge(job.tenant(), (long) held.slots(), Long::sum);
            }
        }
        Set<String> types = new TreeSet<>();
        problem.tenants().forEach(tenant -> types.addAll(tenant.quotas().keySet()));
        types.forEach(type -> siblings("all tenants", tree.tops(), type));
    }

    /** The outermost accounts: every limit is stated by one of them or by one below. */
    public List<Account> accounts() {
        return accounts;
    }

    /**
     * Adds the account of siblings under a parent without quota, and those further below; nothing where nobody has a
     * quota.
     */
    private void siblings(String name, List<Tenant> tenants, String type) {
        List<Account> below = new ArrayList<>();
        long nominal = 0;
        for (Tenant tenant : tenants) {
            Quota quota = tenant.quotas().get(type);
            if (quota == null) {
                siblings("tenants below " + tenant.name(), tree.childrenOf(tenant.name()), type);
            } else {
                below.add(account(tenant, quota, type));
                nominal += quota.nominal();
            }
        }
        if (!below.isEmpty()) {
            accounts.add(bounded(new Account(name, type, Set.of(), below, 0, nominal)));
        }
    }

    private Account account(Tenant tenant, Quota quota, String type) {
        Set<String> own = new TreeSet<>();
        List<Account> below = new ArrayList<>();
        collect(tenant, type, own, below);
        return bounded(new Account(tenant.name(), type, own, below, need.kept(tenant, type, quota), quota.most()));
    }

    /** Tenants without a quota of their own count directly with the next one above that has one. */
    private void collect(Tenant tenant, String type, Set<String> own, List<Account> below) {
        own.add(tenant.name());
        for (Tenant child : tree.childrenOf(tenant.name())) {
            Quota quota = child.quotas().get(type);
            if (quota == null) {
                collect(child, type, own, below);
            } else {
                below.add(account(child, quota, type));
            }
        }
    }

    /** A limit never forbids what may not be touched. */
    private Account bounded(Account account) {
        Map<String, Long> held = untouchable.getOrDefault(account.type(), Map.of());
        long least = use(account, held);
        return new Account(
                account.name(),
                account.type(),
                account.tenants(),
                account.accounts(),
                account.kept(),
                Math.max(account.limit(), least));
    }

    /** Use of {@code account} if the tenants hold {@code slots} of its type. */
    static long use(Account account, Map<String, Long> slots) {
        long sum = 0;
        for (String tenant : account.tenants()) {
            sum += slots.getOrDefault(tenant, 0L);
        }
        for (Account below : account.accounts()) {
            sum += Math.max(below.kept(), use(below, slots));
        }
        return sum;
    }
}
