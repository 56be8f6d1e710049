package dev.spur.solver.quota;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.job.Job;
import dev.spur.model.quota.ReservedDemand;
import dev.spur.model.round.JobPins;
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
 *
 * <p>Claims of siblings are limited by the slots that exist, so that borrowers give way to a tenant within its nominal
 * quota when nodes are lost. Jobs that are not preemptible also count in a tree of their own, whose limits are the
 * nominal quotas. All amounts are in {@link SlotUnits}.
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
     * @param statedLimit the same without regard to the slots that exist, at least {@code limit}
     * @param nonPreemptible whether only jobs that are not preemptible count
     */
    public record Account(
            String name,
            String type,
            Set<String> tenants,
            List<Account> accounts,
            long retained,
            long limit,
            long statedLimit,
            boolean nonPreemptible) {
        /** Returns whether {@code job} counts here or in a descendant if it belongs to one of their tenants. */
        public boolean counts(Job job) {
            return !nonPreemptible || !job.spec().preemptible();
        }

        Account withLimit(long other) {
            return new Account(
                    name, type, tenants, accounts, retained, other, Math.max(statedLimit, other), nonPreemptible);
        }

        /** Returns the claim on the parent account at {@code use}. */
        public long claim(long use) {
            return Math.max(retained, use);
        }

        /** Returns the minimum claim on the parent account, at the minimum claims of the child accounts. */
        public long leastClaim() {
            return claim(accounts.stream().mapToLong(Account::leastClaim).sum());
        }
    }

    private final SlotUnits units;
    private final TenantTree tree;
    private final ReservedDemand demand;
    private final List<Account> rootAccounts = new ArrayList<>();
    private final List<Account> nonPreemptibleRootAccounts = new ArrayList<>();
    /** All accounts: those above come before those below. */
    private final List<Account> accounts = new ArrayList<>();
    /** Number of the account above, by number of the account; -1 for a root. */
    private final int[] above;
    /** By type, then by tenant: the number of the account where its jobs count directly. */
    private final Map<String, Map<String, Integer>> accountOf = new HashMap<>();
    /** The same for jobs that are not preemptible. */
    private final Map<String, Map<String, Integer>> accountOfNonPreemptible = new HashMap<>();
    /** By type: slots of nodes that are not lost. */
    private final Map<String, Long> existing = new HashMap<>();

    private final Map<String, Map<String, Long>> pinned = new HashMap<>();
    private final Map<String, Map<String, Long>> nonPreemptible = new HashMap<>();
    /** By type, then by tenant: maximum slots of waiting jobs that are not preemptible. */
    private final Map<String, Map<String, Long>> waitingNonPreemptible = new HashMap<>();

    public QuotaSystem(RoundProblem problem) {
        units = SlotUnits.of(problem);
        tree = new TenantTree(problem.tenants());
        boolean unlimited =
                problem.tenants().stream().allMatch(tenant -> tenant.quotas().isEmpty());
        demand = new ReservedDemand(unlimited ? problem.withJobs(List.of()) : problem);
        if (unlimited) {
            above = new int[0];
            return;
        }
        countPresent(problem);
        Set<String> types = new TreeSet<>();
        problem.tenants().forEach(tenant -> types.addAll(tenant.quotas().keySet()));
        types.forEach(type -> siblings("all tenants", tree.rootTenants(), type));
        if (problem.settings().quotas().nonPreemptibleWithinNominal()) {
            types.forEach(type -> countWaiting(problem, type));
            waitingNonPreemptible.keySet().stream()
                    .sorted()
                    .forEach(type -> tree.rootTenants()
                            .forEach(tenant ->
                                    addNonPreemptible(tenant, type, new TreeSet<>(), nonPreemptibleRootAccounts)));
        }
        List<Integer> parents = new ArrayList<>();
        rootAccounts.forEach(root -> number(root, -1, parents, accountOf));
        nonPreemptibleRootAccounts.forEach(root -> number(root, -1, parents, accountOfNonPreemptible));
        above = parents.stream().mapToInt(Integer::intValue).toArray();
    }

    private void countPresent(RoundProblem problem) {
        JobPins pins = JobPins.of(problem);
        for (Job job : problem.jobs()) {
            if (job.allocation() != null && pins.isPinned(job)) {
                add(pinned, job, job.allocation().configuration());
            }
            if (job.allocation() != null && !job.spec().preemptible()) {
                add(nonPreemptible, job, job.allocation().configuration());
            }
        }
        for (Node node : problem.nodes()) {
            if (node.acceleratorType() != null && node.state() != NodeState.LOST) {
                existing.merge(node.acceleratorType(), units.of(node.slots()), Long::sum);
            }
        }
    }

    private void add(Map<String, Map<String, Long>> use, Job job, Configuration heldConfiguration) {
        use.computeIfAbsent(heldConfiguration.acceleratorType(), t -> new HashMap<>())
                .merge(job.tenant(), (long) units.of(job, heldConfiguration), Long::sum);
    }

    private void countWaiting(RoundProblem problem, String type) {
        int slots = (int) (existing.getOrDefault(type, 0L) / units.perSlot());
        for (Job job : problem.jobs()) {
            if (job.allocation() == null
                    && !job.spec().preemptible()
                    && job.spec().elasticity().allowsType(type)) {
                int[] counts = job.spec().elasticity().counts(slots);
                if (counts.length > 0) {
                    waitingNonPreemptible
                            .computeIfAbsent(type, t -> new HashMap<>())
                            .merge(
                                    job.tenant(),
                                    units.ofParts((long) counts[counts.length - 1]
                                            * job.spec().elasticity().partsPerDevice()),
                                    Long::sum);
                }
            }
        }
    }

    private void number(Account account, int parent, List<Integer> parents, Map<String, Map<String, Integer>> numbers) {
        int index = accounts.size();
        accounts.add(account);
        parents.add(parent);
        Map<String, Integer> ofType = numbers.computeIfAbsent(account.type(), type -> new HashMap<>());
        account.tenants().forEach(tenant -> ofType.put(tenant, index));
        account.accounts().forEach(accountBelow -> number(accountBelow, index, parents, numbers));
    }

    /**
     * Adds an account of the non-preemptible jobs of {@code tenant} and its descendants to {@code accounts}, if waiting
     * jobs can exceed its limit; otherwise adds these tenants to {@code tenants} and their accounts to
     * {@code accounts}. The limit is the nominal quota, or what these jobs hold if that is more: they are pinned.
     */
    private void addNonPreemptible(Tenant tenant, String type, Set<String> tenants, List<Account> accounts) {
        Set<String> own = new TreeSet<>(Set.of(tenant.name()));
        List<Account> accountsBelow = new ArrayList<>();
        tree.childrenOf(tenant.name()).forEach(child -> addNonPreemptible(child, type, own, accountsBelow));
        Quota quota = tenant.quotas().get(type);
        if (quota != null) {
            String name = "non-preemptible jobs of " + tenant.name();
            long nominal = units.of(quota.nominal());
            Account account = new Account(name, type, own, accountsBelow, 0, nominal, nominal, true);
            long held = use(account, nonPreemptible.getOrDefault(type, Map.of()));
            long more = use(account, waitingNonPreemptible.getOrDefault(type, Map.of()));
            long limit = Math.max(nominal, held);
            if (held + more > limit) {
                accounts.add(account.withLimit(limit));
                return;
            }
        }
        tenants.addAll(own);
        accounts.addAll(accountsBelow);
    }

    /** Returns the root accounts: each limit belongs to one of them or to a descendant. */
    public List<Account> rootAccounts() {
        return rootAccounts;
    }

    /** Returns the root accounts of the jobs that are not preemptible. */
    public List<Account> nonPreemptibleRootAccounts() {
        return nonPreemptibleRootAccounts;
    }

    /** Returns the number of the account of {@code job} on {@code type} if it is not preemptible; -1 otherwise. */
    public int nonPreemptibleAccountOf(Job job, String type) {
        return job.spec().preemptible()
                ? -1
                : accountOfNonPreemptible.getOrDefault(type, Map.of()).getOrDefault(job.tenant(), -1);
    }

    /** Returns the unit of all amounts. */
    public SlotUnits units() {
        return units;
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
        List<Account> accountsBelow = new ArrayList<>();
        long nominal = 0;
        for (Tenant tenant : tenants) {
            Quota quota = tenant.quotas().get(type);
            if (quota == null) {
                siblings("tenants below " + tenant.name(), tree.childrenOf(tenant.name()), type);
            } else {
                accountsBelow.add(account(tenant, quota, type));
                nominal += units.of(quota.nominal());
            }
        }
        if (!accountsBelow.isEmpty()) {
            rootAccounts.add(raiseToPinned(
                    limitToExisting(new Account(name, type, Set.of(), accountsBelow, 0, nominal, nominal, false))));
        }
    }

    private Account account(Tenant tenant, Quota quota, String type) {
        Set<String> own = new TreeSet<>();
        List<Account> accountsBelow = new ArrayList<>();
        collect(tenant, type, own, accountsBelow);
        Account account = new Account(
                tenant.name(),
                type,
                own,
                accountsBelow,
                units.ofParts(demand.partsOf(tenant, type, quota)),
                units.of(quota.max()),
                units.of(quota.max()),
                false);
        return raiseToPinned(accountsBelow.isEmpty() ? account : limitToExisting(account));
    }

    /**
     * Lowers the limit of an account with child accounts to the slots that exist, but not below what these claim within
     * their nominal quotas: more than the rest is not there to be borrowed.
     */
    private Account limitToExisting(Account account) {
        long claimed =
                account.accounts().stream().mapToLong(Account::leastClaim).sum();
        long most = Math.max(existing.getOrDefault(account.type(), 0L), claimed);
        return account.withLimit(Math.min(account.limit(), most));
    }

    /** Tenants without a quota count directly in the nearest ancestor that has one. */
    private void collect(Tenant tenant, String type, Set<String> own, List<Account> accountsBelow) {
        own.add(tenant.name());
        for (Tenant child : tree.childrenOf(tenant.name())) {
            Quota quota = child.quotas().get(type);
            if (quota == null) {
                collect(child, type, own, accountsBelow);
            } else {
                accountsBelow.add(account(child, quota, type));
            }
        }
    }

    /** Raises a limit to the use of pinned jobs, so that it never forbids them. */
    private Account raiseToPinned(Account account) {
        Map<String, Long> held = pinned.getOrDefault(account.type(), Map.of());
        long min = use(account, held);
        return account.withLimit(Math.max(account.limit(), min));
    }

    /** Returns the use of {@code account} if the tenants hold {@code slots} of its type. */
    static long use(Account account, Map<String, Long> slots) {
        long sum = 0;
        for (String tenant : account.tenants()) {
            sum += slots.getOrDefault(tenant, 0L);
        }
        for (Account accountBelow : account.accounts()) {
            sum += accountBelow.claim(use(accountBelow, slots));
        }
        return sum;
    }
}
