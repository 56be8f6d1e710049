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
 * <p>Whatever an account uses counts in the rows above it; a claim stands for what it claims there. An account of one tenant
 * without accounts below can be left to a block of that tenant's jobs: its limit is at most what the account above leaves
 * when all others claim only what they keep.
 */
final class QuotaAccounts {
    private final RowList rows;
    private final Set<String> active = new HashSet<>();
    private final boolean blocks;
    private boolean somePrivate;
    private final List<CouplingRows.Claim> claims = new ArrayList<>();
    /** Rows in which a slot of a type counts for a tenant. */
    private final Map<String, Map<String, List<Integer>>> rowsOf = new HashMap<>();

    private final Map<String, Map<String, PrivateQuota>> privateOf = new LinkedHashMap<>();

    /** @param blocks true if tenants' own quotas are left to blocks */
    QuotaAccounts(CandidateSet candidates, boolean blocks, RowList rows) {
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
    private void add(Account account, List<Integer> above, long most) {
        List<Integer> own = new ArrayList<>(above);
        if (most < Integer.MAX_VALUE) {
            own.add(rows.add(name(account), (double) most));
        }
        if (own.isEmpty() && account.accounts().isEmpty()) {
            return;
        }
        for (String tenant : account.tenants()) {
            rowsOf.computeIfAbsent(tenant, t -> new HashMap<>()).put(account.type(), own);
        }
        long keptBelow = account.accounts().stream().mapToLong(Account::kept).sum();
        for (Account below : account.accounts()) {
            long left = most >= Integer.MAX_VALUE ? Integer.MAX_VALUE : most - (keptBelow - below.kept());
            addBelow(below, own, Math.min(below.limit(), left));
        }
    }

    private void addBelow(Account account, List<Integer> counts, long most) {
        List<Integer> claimed = counts;
        if (most <= account.kept()) {
            // it claims the same whatever it uses
            counts.forEach(row -> rows.lower(row, (double) account.kept()));
            claimed = List.of();
        }
        boolean ownQuota = isPrivate(account) && most < Integer.MAX_VALUE;
        somePrivate |= ownQuota;
        if (blocks && ownQuota) {
            addPrivate(account, claimed, most);
        } else if (claimed.isEmpty()) {
            add(account, List.of(), most);
        } else {
            int cover = rows.add("claim:" + account.name() + "/" + account.type(), 0);
            claims.add(new CouplingRows.Claim(cover, claimed, (double) account.kept()));
            add(account, List.of(cover), most);
        }
    }

    private static String name(Account account) {
        return "quota:" + account.name() + "/" + account.type();
    }

    private boolean isPrivate(Account account) {
        return account.accounts().isEmpty()
                && account.tenants().stream().filter(active::contains).count() == 1;
    }

    private void addPrivate(Account account, List<Integer> counts, long limit) {
        int row = rows.add(name(account), (double) limit);
        PrivateQuota quota = new PrivateQuota(row, (int) limit, (int) account.kept(), counts);
        account.tenants().stream().filter(active::contains).forEach(tenant -> {
            privateOf.computeIfAbsent(tenant, t -> new LinkedHashMap<>()).put(account.type(), quota);
            rowsOf.computeIfAbsent(tenant, t -> new HashMap<>()).put(account.type(), List.of(row));
        });
    }

    List<CouplingRows.Claim> claims() {
        return claims;
    }

    /** Rows in which a slot of {@code type} counts for {@code tenant}. */
    List<Integer> rows(String tenant, String type) {
        return rowsOf.getOrDefault(tenant, Map.of()).getOrDefault(type, List.of());
    }

    /** The tenant's own quotas by type. */
    Map<String, PrivateQuota> privateQuotas(String tenant) {
        return privateOf.getOrDefault(tenant, Map.of());
    }

    /** True if some tenant with jobs has a quota that binds it alone. */
    boolean someArePrivate() {
        return somePrivate;
    }
}
