package dev.spur.solver.pricing;

import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.quota.QuotaSystem.Account;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * States quotas as rows, and finds those that bind the jobs of one tenant alone.
 *
 * <p>Whatever an account uses counts in the rows above it; a claim stands for what it claims there. An account of one
 * tenant without accounts below can be left to a block of that tenant's jobs: its limit is at most what the account
 * above leaves when all others claim only what they keep.
 */
final class QuotaAccounts {
    /**
     * What an account may use at most.
     *
     * @param name of its row, whether or not there is one
     * @param row its row; -1 if nothing counts in it but what is claimed in any case
     * @param most no more is ever used
     * @param boundBelow those of the accounts below that could use more if this one could
     */
    record Limit(String name, int row, long most, List<Limit> boundBelow) {
        Limit {
            boundBelow = List.copyOf(boundBelow);
        }
    }

    private final ConstraintList rows;
    private final List<Limit> limits = new ArrayList<>();
    private final Set<String> active = new HashSet<>();
    private final boolean blocks;
    private boolean somePrivate;
    private final List<CouplingConstraints.ParentClaim> claims = new ArrayList<>();
    /** Rows in which a slot of a type counts for a tenant. */
    private final Map<String, Map<String, List<Integer>>> rowsOf = new HashMap<>();

    private final Map<String, Map<String, LocalQuota>> privateOf = new LinkedHashMap<>();

    /** @param blocks true if tenants' own quotas are left to blocks */
    QuotaAccounts(CandidateSet candidates, boolean blocks, ConstraintList rows) {
        this.rows = rows;
        this.blocks = blocks;
        candidates.problem().jobs().forEach(job -> active.add(job.tenant()));
        candidates.quotas().accounts().forEach(account -> add(account, List.of(), account.limit()));
    }

    /**
     * Adds the rows of an account and those below it.
     *
     * @param above rows in which whatever it uses counts as well
     * @param most no more is ever used
     */
    private Limit add(Account account, List<Integer> above, long most) {
        List<Integer> own = new ArrayList<>(above);
        int row = -1;
        if (most < Integer.MAX_VALUE && isCounted(account, most)) {
            row = rows.add(name(account), (double) most);
            own.add(row);
        }
        for (String tenant : account.tenants()) {
            rowsOf.computeIfAbsent(tenant, t -> new HashMap<>()).put(account.type(), own);
        }
        List<Limit> boundBelow = new ArrayList<>();
        for (Account below : account.accounts()) {
            long left = leftFor(below, account, most);
            Limit limit = addBelow(below, own, Math.min(below.limit(), left));
            if (left < below.limit()) {
                boundBelow.add(limit);
            }
        }
        return stated(new Limit(name(account), row, most, boundBelow));
    }

    private Limit stated(Limit limit) {
        if (limit.most() < Integer.MAX_VALUE) {
            limits.add(limit);
        }
        return limit;
    }

    /**
     * What {@code account}, with at most {@code most}, leaves for {@code below} when all others claim only what they
     * keep.
     */
    private static long leftFor(Account below, Account account, long most) {
        long keptBelow = account.accounts().stream().mapToLong(Account::kept).sum();
        return most >= Integer.MAX_VALUE ? Integer.MAX_VALUE : most - (keptBelow - below.kept());
    }

    /** False if the row of {@code account} would hold nothing but claims that are the same in every plan. */
    private boolean isCounted(Account account, long most) {
        return !account.tenants().isEmpty()
                || account.accounts().stream()
                        .anyMatch(below -> Math.min(below.limit(), leftFor(below, account, most)) > below.kept());
    }

    private Limit addBelow(Account account, List<Integer> counts, long most) {
        List<Integer> claimed = counts;
        if (most <= account.kept()) {
            // it claims the same whatever it uses
            counts.forEach(row -> rows.lower(row, (double) account.kept()));
            claimed = List.of();
        }
        boolean ownQuota = isPrivate(account) && most < Integer.MAX_VALUE;
        somePrivate |= ownQuota;
        if (blocks && ownQuota) {
            return addPrivate(account, claimed, most);
        }
        if (claimed.isEmpty()) {
            return add(account, List.of(), most);
        }
        int cover = rows.add("claim:" + account.name() + "/" + account.type(), 0);
        claims.add(new CouplingConstraints.ParentClaim(cover, claimed, (double) account.kept()));
        return add(account, List.of(cover), most);
    }

    private static String name(Account account) {
        return "quota:" + account.name() + "/" + account.type();
    }

    private boolean isPrivate(Account account) {
        return account.accounts().isEmpty()
                && account.tenants().stream().filter(active::contains).count() == 1;
    }

    private Limit addPrivate(Account account, List<Integer> counts, long limit) {
        int row = rows.add(name(account), (double) limit);
        LocalQuota quota = new LocalQuota(row, (int) limit, (int) account.kept(), counts);
        account.tenants().stream().filter(active::contains).forEach(tenant -> {
            privateOf.computeIfAbsent(tenant, t -> new LinkedHashMap<>()).put(account.type(), quota);
            rowsOf.computeIfAbsent(tenant, t -> new HashMap<>()).put(account.type(), List.of(row));
        });
        return stated(new Limit(name(account), row, limit, List.of()));
    }

    /** What accounts may use at most, those below before those above; without accounts that have no limit. */
    List<Limit> limits() {
        return limits;
    }

    List<CouplingConstraints.ParentClaim> claims() {
        return claims;
    }

    /** Rows in which a slot of {@code type} counts for {@code tenant}. */
    List<Integer> rows(String tenant, String type) {
        return rowsOf.getOrDefault(tenant, Map.of()).getOrDefault(type, List.of());
    }

    /** The tenant's own quotas by type. */
    Map<String, LocalQuota> privateQuotas(String tenant) {
        return privateOf.getOrDefault(tenant, Map.of());
    }

    /** True if some tenant with jobs has a quota that binds it alone. */
    boolean someArePrivate() {
        return somePrivate;
    }
}
