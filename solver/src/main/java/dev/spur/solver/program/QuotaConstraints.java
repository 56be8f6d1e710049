package dev.spur.solver.program;

import com.google.ortools.sat.BoolVar;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.IntVar;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.quota.QuotaLedger;
import dev.spur.solver.quota.QuotaLedger.AccountUse;
import dev.spur.solver.quota.QuotaSystem.Account;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Quotas with borrowing: for each account a, {@code use[a] <= limit[a]}. Its use is the sum of {@code slots(c) * x[c]}
 * over the jobs of its tenants, plus {@code claim[b]} over its child accounts b, plus the use by fixed jobs. A claim
 * satisfies {@code claim[b] >= use[b]} and {@code claim[b] >= reserved[b]}, so that no account borrows a reserved slot.
 */
final class QuotaConstraints {
    /** Slots of a job if it is chosen. */
    private record SlotTerm(BoolVar chosen, int slots) {}

    private final CpModel model;
    private final VariableFixing fixing;
    /** Open candidates by type and tenant. */
    private final Map<String, Map<String, List<SlotTerm>>> terms = new HashMap<>();

    private final IdentityHashMap<Account, IntVar> claims = new IdentityHashMap<>();

    /** Adds the rows of the accounts with open candidates. */
    QuotaConstraints(CpModel model, VariableFixing fixing, CandidateVariables x) {
        this.model = model;
        this.fixing = fixing;
        x.forEach((candidate, chosen) -> terms.computeIfAbsent(
                        candidate.configuration().acceleratorType(), type -> new HashMap<>())
                .computeIfAbsent(fixing.candidates().job(candidate.job()).tenant(), tenant -> new ArrayList<>())
                .add(new SlotTerm(chosen, candidate.slots())));
        fixing.residual().quotas().roots().forEach(this::quotasHold);
    }

    /** Returns the use of an account; null if it is constant. */
    private @Nullable LinearExprBuilder quotasHold(AccountUse fixed) {
        Account account = fixed.account();
        LinearExprBuilder use = LinearExpr.newBuilder();
        long constant = fixed.use();
        boolean isConstant = true;
        Map<String, List<SlotTerm>> ofType = terms.getOrDefault(account.type(), Map.of());
        for (String tenant : account.tenants()) {
            for (SlotTerm term : ofType.getOrDefault(tenant, List.of())) {
                use.addTerm(term.chosen(), term.slots());
                isConstant = false;
            }
        }
        for (AccountUse below : fixed.below()) {
            LinearExprBuilder useBelow = quotasHold(below);
            if (useBelow != null) {
                use.add(claim(below.account(), useBelow));
                constant -= below.account().claim(below.use());
                isConstant = false;
            }
        }
        use.add(constant);
        if (!isConstant && account.limit() < Integer.MAX_VALUE) {
            model.addLessOrEqual(use, account.limit());
        }
        return isConstant ? null : use;
    }

    /** Returns the claim: a variable of at least the use and at least the reserved slots. */
    private IntVar claim(Account account, LinearExprBuilder use) {
        IntVar claim =
                model.newIntVar(account.kept(), Integer.MAX_VALUE, "b[" + account.type() + "," + account.name() + "]");
        model.addLessOrEqual(use, claim);
        claims.put(account, claim);
        return claim;
    }

    /** Passes the claims at a choice to the solver as a hint: the candidate of each job, or -1 for waiting. */
    void hint(int[] choice) {
        CandidateSet candidates = fixing.candidates();
        QuotaLedger ledger = new QuotaLedger(candidates.quotas());
        for (int c : choice) {
            if (c >= 0) {
                Candidate candidate = candidates.get(c);
                String tenant = candidates.job(candidate.job()).tenant();
                ledger.add(tenant, candidate.configuration().acceleratorType(), candidate.slots());
            }
        }
        ledger.roots().forEach(this::hint);
    }

    private void hint(AccountUse use) {
        IntVar claim = claims.get(use.account());
        if (claim != null) {
            model.addHint(claim, use.account().claim(use.use()));
        }
        use.below().forEach(this::hint);
    }
}
