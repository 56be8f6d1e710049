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
 * Quotas as a tree of accounts per accelerator type. The use of an account is the slots held by its tenants plus the
 * claims of its child accounts. Its claim is its use, and at least the reserved slots of the tenant.
 */
public final class QuotaSystem {
    /**
     * Account of one tenant, or of a set of sibling tenants, for one type.
     *
     * @param name display name
     * @param type accelerator type
     * @param tenants tenants whose jobs count here directly; empty for a set of siblings
     * @param accounts child accounts
     * @param retained reserved slots, which the account claims even without use
     * @param limit maximum use; {@link Integer#MAX_VALUE} for none
     */
    public record Account(
            String name, String type, Set<String> tenants, List<Account> accounts, long retained, long limit) {
        /** Returns the claim on the parent account at {@code use}. */
        public long claim(long use) {
            return Math.max(retained, use);
        }

        /** Returns the minimum claim on the parent account, at the minimum claims of the child accounts. */
        public long leastClaim() {
            return claim(accounts.stream().mapToLong(Account::leastClaim).sum());
        }
    }

    private final TenantTree tree;
    private final ReservedDemand need;
    private final List<Account> roots = new ArrayList<>();
    /** All accounts: those above come before those below. */
    private final List<Account> accounts = new ArrayList<>();
    /** Number of the account above, by number of the account; -1 for a root. */
    private final int[] above;
    /** By type, then by tenant: the number of the account where its jobs count directly. */
    private final Map<String, Map<String, Integer>> accountOf = new HashMap<>();

    private final Map<String, Map<String, Long>> pinned = new HashMap<>();

    public QuotaSystem(RoundProblem problem) {
        tree = new TenantTree(problem.tenants());
        boolean unlimited =
                problem.tenants().stream().allMatch(tenant -> tenant.quotas().isEmpty());
        need = new ReservedDemand(unlimited ? problem.withJobs(List.of()) : problem);
        if (unlimited) {
            above = new int[0];
            return;
        }
        for (Job job : problem.jobs()) {
            if (job.allocation() != null && job.isPinned(problem.now())) {
                var held = job.allocation().configuration();
                pinned.computeIfAbsent(held.acceleratorType(), t -> new HashMap<>())
                        .merge(job.tenant(), (long) held.slots(), Long::sum);
            }
        }
        Set<String> types = new TreeSet<>();
        problem.tenants().forEach(tenant -> types.addAll(tenant.quotas().keySet()));
        types.forEach(type -> siblings("all tenants", tree.roots(), type));
        List<Integer> parents = new ArrayList<>();
        roots.forEach(root -> number(root, -1, parents));
        above = parents.stream().mapToInt(Integer::intValue).toArray();
    }

    private void number(Account account, int parent, List<Integer> parents) {
        int index = accounts.size();
        accounts.add(account);
        parents.add(parent);
        Map<String, Integer> ofType = accountOf.computeIfAbsent(account.type(), type -> new HashMap<>());
        account.tenants().forEach(tenant -> ofType.put(tenant, index));
        account.accounts().forEach(below -> number(below, index, parents));
    }

    /** Returns the root accounts: each limit belongs to one of them or to a descendant. */
    public List<Account> roots() {
        return roots;
    }

    /** Returns the number of accounts. */
    public int size() {
        return accounts.size();
    }

    /** Returns account {@code a}; an account above has a smaller number than those below. */
    public Account account(int a) {
        return accounts.get(a);
    }

    /** Returns the number of the account above {@code a}; -1 for a root. */
    public int above(int a) {
        return above[a];
    }

    /** Returns the number of the account where the jobs of {@code tenant} on {@code type} count directly; or -1. */
    public int accountOf(String tenant, String type) {
        return accountOf.getOrDefault(type, Map.of()).getOrDefault(tenant, -1);
    }

    /**
     * Adds the account of siblings under a parent without quota, and its descendants; none if no tenant has a quota.
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
            roots.add(raiseToPinned(new Account(name, type, Set.of(), below, 0, nominal)));
        }
    }

    private Account account(Tenant tenant, Quota quota, String type) {
        Set<String> own = new TreeSet<>();
        List<Account> below = new ArrayList<>();
        collect(tenant, type, own, below);
        return raiseToPinned(
                new Account(tenant.name(), type, own, below, need.slotsOf(tenant, type, quota), quota.max()));
    }

    /** Tenants without a quota count directly in the nearest ancestor that has one. */
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

    /** Raises a limit to the use of pinned jobs, so that it never forbids them. */
    private Account raiseToPinned(Account account) {
        Map<String, Long> held = pinned.getOrDefault(account.type(), Map.of());
        long min = use(account, held);
        return new Account(
                account.name(),
                account.type(),
                account.tenants(),
                account.accounts(),
                account.retained(),
                Math.max(account.limit(), min));
    }

    /** Returns the use of {@code account} if the tenants hold {@code slots} of its type. */
    static long use(Account account, Map<String, Long> slots) {
        long sum = 0;
        for (String tenant : account.tenants()) {
            sum += slots.getOrDefault(tenant, 0L);
        }
        for (Account below : account.accounts()) {
            sum += below.claim(use(below, slots));
        }
        return sum;
    }
}
