package dev.spur.solver.quota;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Use of each quota account while a plan grows job by job; it checks whether more would exceed a quota. Each account
 * stores its use, so a query visits only the accounts above a tenant. Queries are thread-safe.
 */
public final class QuotaLedger {
    /** Account with its present use. */
    public static final class AccountUse {
        private final QuotaSystem.Account account;
        private final @Nullable AccountUse above;
        private final List<AccountUse> below = new ArrayList<>();
        private long use;

        private AccountUse(QuotaSystem.Account account, @Nullable AccountUse above) {
            this.account = account;
            this.above = above;
            for (QuotaSystem.Account child : account.accounts()) {
                AccountUse its = new AccountUse(child, this);
                below.add(its);
                use += child.claim(its.use);
            }
        }

        public QuotaSystem.Account account() {
            return account;
        }

        /** Returns the use of child accounts. */
        public List<AccountUse> below() {
            return Collections.unmodifiableList(below);
        }

        /** Returns the slots of its tenants plus the claims of the child accounts. */
        public long use() {
            return use;
        }

        /** Returns the additional claim on the parent account if {@code slots} more are used. */
        private long moreClaimed(long slots) {
            return account.claim(use + slots) - account.claim(use);
        }
    }

    private final List<AccountUse> roots = new ArrayList<>();
    /** By type, then by tenant: the account where its jobs count directly. */
    private final Map<String, Map<String, AccountUse>> accounts = new HashMap<>();

    public QuotaLedger(QuotaSystem system) {
        system.accounts().forEach(account -> roots.add(new AccountUse(account, null)));
        roots.forEach(this::index);
    }

    private void index(AccountUse own) {
        Map<String, AccountUse> ofType = accounts.computeIfAbsent(own.account.type(), type -> new HashMap<>());
        own.account.tenants().forEach(tenant -> ofType.put(tenant, own));
        own.below.forEach(this::index);
    }

    /** Returns the use of the root accounts. */
    public List<AccountUse> roots() {
        return Collections.unmodifiableList(roots);
    }

    /** Returns whether {@code tenant} may hold {@code slots} more of {@code type}; {@code slots} is above 0. */
    public boolean allows(String tenant, String type, int slots) {
        long more = slots;
        for (AccountUse at = account(tenant, type); at != null && more > 0; at = at.above) {
            if (at.use + more > at.account.limit()) {
                return false;
            }
            more = at.moreClaimed(more);
        }
        return true;
    }

    /** Books {@code slots} of {@code type} to {@code tenant}; a negative number releases them. */
    public void add(String tenant, String type, int slots) {
        long more = slots;
        for (AccountUse at = account(tenant, type); at != null && more != 0; at = at.above) {
            long claimed = at.moreClaimed(more);
            at.use += more;
            more = claimed;
        }
    }

    private @Nullable AccountUse account(String tenant, String type) {
        return accounts.getOrDefault(type, Map.of()).get(tenant);
    }
}
