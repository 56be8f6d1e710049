package dev.spur.solver.quota;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Ledger of the slots held by tenants while a plan grows job by job; it checks whether more would exceed a quota. Each
 * account stores its use, so a query visits only the accounts above a tenant. Queries are thread-safe.
 */
public final class QuotaLedger {
    private static final class Entry {
        private final @Nullable Entry above;
        private final long kept;
        private final long limit;
        private long use;

        Entry(QuotaSystem.Account account, @Nullable Entry above) {
            this.above = above;
            this.kept = account.kept();
            this.limit = account.limit();
        }

        /** Returns the additional claim on the parent account if {@code slots} more are used. */
        long moreClaimed(long slots) {
            return Math.max(kept, use + slots) - Math.max(kept, use);
        }
    }

    /** By type, then by tenant: the account where its jobs count directly. */
    private final Map<String, Map<String, Entry>> entries = new HashMap<>();

    private final Map<String, Map<String, Long>> held = new HashMap<>();

    public QuotaLedger(QuotaSystem system) {
        system.accounts().forEach(account -> addEntries(account, null));
    }

    private Entry addEntries(QuotaSystem.Account account, @Nullable Entry above) {
        Entry entry = new Entry(account, above);
        List<Entry> below = new ArrayList<>();
        account.accounts().forEach(each -> below.add(addEntries(each, entry)));
        below.forEach(each -> entry.use += Math.max(each.kept, each.use));
        Map<String, Entry> ofType = entries.computeIfAbsent(account.type(), type -> new HashMap<>());
        account.tenants().forEach(tenant -> ofType.put(tenant, entry));
        return entry;
    }

    /** Returns whether {@code tenant} may hold {@code slots} more of {@code type}; {@code slots} is above 0. */
    public boolean allows(String tenant, String type, int slots) {
        long more = slots;
        for (Entry at = entry(tenant, type); at != null && more > 0; at = at.above) {
            if (at.use + more > at.limit) {
                return false;
            }
            more = at.moreClaimed(more);
        }
        return true;
    }

    /** Books {@code slots} of {@code type} to {@code tenant}; a negative number releases them. */
    public void add(String tenant, String type, int slots) {
        held.computeIfAbsent(type, t -> new HashMap<>()).merge(tenant, (long) slots, Long::sum);
        long more = slots;
        for (Entry at = entry(tenant, type); at != null && more != 0; at = at.above) {
            long claimed = at.moreClaimed(more);
            at.use += more;
            more = claimed;
        }
    }

    /** Slots of {@code type} booked to {@code tenant}. */
    public long held(String tenant, String type) {
        return held.getOrDefault(type, Map.of()).getOrDefault(tenant, 0L);
    }

    private @Nullable Entry entry(String tenant, String type) {
        return entries.getOrDefault(type, Map.of()).get(tenant);
    }
}
