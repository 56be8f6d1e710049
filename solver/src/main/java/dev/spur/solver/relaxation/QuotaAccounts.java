package dev.spur.solver.relaxation;

import dev.spur.model.job.Job;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.quota.QuotaSystem.Account;
import dev.spur.solver.resource.ResourceKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Coupling constraints of quotas, and the quotas that bind only jobs of one tenant.
 *
 * <p>The use of an account counts in the rows above it; a claim replaces the use where an account reserves slots. A
 * subproblem can enforce the quota of an account of one tenant without accounts below. The limit is then at most the
 * remainder of the account above when all others have their minimum claims.
 */
final class QuotaAccounts {
    /**
     * Limit of the use of an account.
     *
     * @param quotaSlots its slots, whether or not it has a row
     * @param row its row; -1 if only constant claims count in it
     * @param max maximum use
     * @param lowerLimits limits of the accounts below that could use more if this one could
     * @param claimed rows of the accounts above whose price the price of its row includes
     */
    record Limit(ResourceKey.QuotaSlots quotaSlots, int row, long max, List<Limit> lowerLimits, List<Integer> claimed) {
        Limit {
            claimed = List.copyOf(claimed);
            lowerLimits = List.copyOf(lowerLimits);
        }
    }

    private final ConstraintList constraints;
    private final List<Limit> limits = new ArrayList<>();
    private final Set<String> active = new HashSet<>();
    private final boolean blocks;
    private final List<CouplingConstraints.ParentClaim> claims = new ArrayList<>();
    /** Rows in which a slot counts, by tenant and type. */
    private final Map<String, Map<String, List<Integer>>> rowsOf = new HashMap<>();

    /** Rows in which a slot of a job that is not preemptible also counts, by tenant and type. */
    private final Map<String, Map<String, List<Integer>>> rowsOfNonPreemptible = new HashMap<>();

    private final Map<String, Map<String, LocalQuota>> privateQuotas = new LinkedHashMap<>();

    /** @param blocks whether subproblems enforce the local quotas of tenants */
    QuotaAccounts(CandidateSet candidates, boolean blocks, ConstraintList constraints) {
        this.constraints = constraints;
        this.blocks = blocks;
        candidates.problem().jobs().forEach(job -> active.add(job.tenant()));
        candidates.quotas().rootAccounts().forEach(account -> add(account, List.of(), account.limit()));
        candidates.quotas().nonPreemptibleRootAccounts().forEach(account -> addNonPreemptible(account, List.of()));
    }

    /** Adds the rows of an account of non-preemptible jobs and of those below it; none of them reserves slots. */
    private void addNonPreemptible(Account account, List<Integer> above) {
        List<Integer> own = new ArrayList<>(above);
        int row = constraints.add(key(account), (double) account.limit());
        own.add(row);
        for (String tenant : account.tenants()) {
            rowsOfNonPreemptible.computeIfAbsent(tenant, t -> new HashMap<>()).put(account.type(), own);
        }
        account.accounts().forEach(accountBelow -> addNonPreemptible(accountBelow, own));
        register(new Limit(key(account), row, account.limit(), List.of(), List.of()));
    }

    /**
     * Adds the rows of an account and of the accounts below it.
     *
     * @param above rows in which its use also counts
     * @param max maximum use
     */
    private Limit add(Account account, List<Integer> above, long max) {
        List<Integer> own = new ArrayList<>(above);
        int row = -1;
        if (max < Integer.MAX_VALUE && isCounted(account, max)) {
            row = constraints.add(key(account), (double) max);
            own.add(row);
        }
        for (String tenant : account.tenants()) {
            rowsOf.computeIfAbsent(tenant, t -> new HashMap<>()).put(account.type(), own);
        }
        List<Limit> lowerLimits = new ArrayList<>();
        for (Account accountBelow : account.accounts()) {
            long left = leftFor(accountBelow, account, max);
            Limit limit = addBelow(accountBelow, own, Math.min(accountBelow.limit(), left));
            if (left < accountBelow.limit()) {
                lowerLimits.add(limit);
            }
        }
        return register(new Limit(key(account), row, max, lowerLimits, List.of()));
    }

    private Limit register(Limit limit) {
        if (limit.max() < Integer.MAX_VALUE) {
            limits.add(limit);
        }
        return limit;
    }

    /**
     * Returns the slots of {@code account}, with at most {@code max}, that remain for {@code accountBelow} when all
     * others have their minimum claims.
     */
    private static long leftFor(Account accountBelow, Account account, long max) {
        long claimed =
                account.accounts().stream().mapToLong(Account::leastClaim).sum();
        return max >= Integer.MAX_VALUE ? Integer.MAX_VALUE : max - (claimed - accountBelow.leastClaim());
    }

    /** Returns false if the row of {@code account} would contain only constant claims. */
    private boolean isCounted(Account account, long max) {
        return !account.tenants().isEmpty()
                || account.accounts().stream()
                        .anyMatch(accountBelow -> Math.min(accountBelow.limit(), leftFor(accountBelow, account, max))
                                > accountBelow.leastClaim());
    }

    private Limit addBelow(Account account, List<Integer> counts, long max) {
        List<Integer> claimed = counts;
        long min = account.leastClaim();
        if (max <= min) {
            // The claim is constant for every use.
            counts.forEach(row -> constraints.lower(row, (double) min));
            claimed = List.of();
        }
        boolean ownQuota = isPrivate(account) && max < Integer.MAX_VALUE;
        if (blocks && ownQuota) {
            return addPrivate(account, claimed, max);
        }
        if (claimed.isEmpty()) {
            return add(account, List.of(), max);
        }
        int cover = constraints.add(new ResourceKey.QuotaClaim(account.name(), account.type()), 0);
        int at = claims.size();
        // The claims of the accounts below follow that of this account.
        claims.add(new CouplingConstraints.ParentClaim(cover, claimed, (double) min, -1, (double) max));
        Limit limit = add(account, List.of(cover), max);
        claims.set(at, new CouplingConstraints.ParentClaim(cover, claimed, (double) min, limit.row(), (double) max));
        return limit;
    }

    private static ResourceKey.QuotaSlots key(Account account) {
        return new ResourceKey.QuotaSlots(account.name(), account.type());
    }

    private boolean isPrivate(Account account) {
        return account.accounts().isEmpty()
                && account.tenants().stream().filter(active::contains).count() == 1;
    }

    private Limit addPrivate(Account account, List<Integer> counts, long limit) {
        int row = constraints.add(key(account), (double) limit);
        LocalQuota quota = new LocalQuota(row, (int) limit, account, counts);
        account.tenants().stream().filter(active::contains).forEach(tenant -> {
            privateQuotas.computeIfAbsent(tenant, t -> new LinkedHashMap<>()).put(account.type(), quota);
            rowsOf.computeIfAbsent(tenant, t -> new HashMap<>()).put(account.type(), List.of(row));
        });
        return register(new Limit(key(account), row, limit, List.of(), counts));
    }

    /**
     * Returns the limits of accounts in ascending order: accounts below come before those above. Accounts without a
     * limit are left out.
     */
    List<Limit> limits() {
        return limits;
    }

    List<CouplingConstraints.ParentClaim> claims() {
        return claims;
    }

    /** Returns the rows in which a slot of {@code type} counts for {@code tenant}. */
    List<Integer> rows(String tenant, String type) {
        return rowsOf.getOrDefault(tenant, Map.of()).getOrDefault(type, List.of());
    }

    /** Returns the rows in which a slot of {@code type} also counts for {@code job}, if it is not preemptible. */
    List<Integer> rowsOfNonPreemptible(Job job, String type) {
        return job.spec().preemptible()
                ? List.of()
                : rowsOfNonPreemptible.getOrDefault(job.tenant(), Map.of()).getOrDefault(type, List.of());
    }

    /** Returns the local quotas of the tenant by type. */
    Map<String, LocalQuota> privateQuotas(String tenant) {
        return privateQuotas.getOrDefault(tenant, Map.of());
    }

    /** Returns the local quotas of all tenants, by tenant and type. */
    List<LocalQuota> allPrivateQuotas() {
        return privateQuotas.values().stream()
                .flatMap(byType -> byType.values().stream())
                .distinct()
                .toList();
    }
}
