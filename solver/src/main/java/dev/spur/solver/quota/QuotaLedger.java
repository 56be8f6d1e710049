package dev.spur.solver.quota;

import java.util.HashMap;
import java.util.Map;

/** What tenants hold while a plan grows job by job, and whether more would break a quota. */
public final class QuotaLedger {
    private final QuotaSystem system;
    private final Map<String, Map<String, Long>> held = new HashMap<>();

    public QuotaLedger(QuotaSystem system) {
        this.system = system;
    }

    /** True if {@code tenant} may hold {@code slots} more of {@code type}. */
    public boolean allows(String tenant, String type, int slots) {
        add(tenant, type, slots);
        Map<String, Long> of = held.getOrDefault(type, Map.of());
        boolean within = system.accounts().stream()
                .filter(account -> account.type().equals(type))
                .allMatch(account -> isWithin(account, of));
        add(tenant, type, -slots);
        return within;
    }

    /** Books {@code slots} of {@code type} to {@code tenant}; a negative number gives them back. */
    public void add(String tenant, String type, int slots) {
        held.computeIfAbsent(type, t -> new HashMap<>()).merge(tenant, (long) slots, Long::sum);
    }

    private static boolean isWithin(QuotaSystem.Account account, Map<String, Long> slots) {
        return QuotaSystem.use(account, slots) <= account.limit()
                && account.accounts().stream().allMatch(below -> isWithin(below, slots));
    }
}
