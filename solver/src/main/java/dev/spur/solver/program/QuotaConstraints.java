package dev.spur.solver.program;

import com.google.ortools.sat.BoolVar;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.IntVar;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import dev.spur.solver.quota.QuotaLedger.AccountUse;
import dev.spur.solver.quota.QuotaSystem.Account;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Quotas with borrowing: for each account a, {@code use[a] <= limit[a]}. Its use is the sum of {@code slots(c) * x[c]}
 * over the jobs of its tenants, plus {@code claim[b]} over its child accounts b, plus the use by fixed jobs. A claim
 * satisfies {@code claim[b] >= use[b]} and {@code claim[b] >= reserved[b]}, so that no account borrows a reserved slot.
 */
final class QuotaConstraints {
    /** Upper bound on the slots of any cluster. */
    private static final long MANY = 1L << 40;

    /** Slots of a job if it is chosen. */
    private record SlotTerm(BoolVar chosen, int slots) {}

    private final CpModel model;
    private final VariableFixing fixing;
    /** Open candidates by type and tenant. */
    private final Map<String, Map<String, List<SlotTerm>>> terms = new HashMap<>();

    private int rows;

    QuotaConstraints(CpModel model, VariableFixing fixing, CandidateVariables x) {
        this.model = model;
        this.fixing = fixing;
        x.forEach((candidate, chosen) -> terms.computeIfAbsent(
                        candidate.configuration().acceleratorType(), type -> new HashMap<>())
                .computeIfAbsent(fixing.candidates().job(candidate.job()).tenant(), tenant -> new ArrayList<>())
                .add(new SlotTerm(chosen, candidate.slots())));
    }

    /** Adds the constraints and returns their number. Accounts without open candidates have none. */
    int add() {
        fixing.residual().quotas().roots().forEach(this::quotasHold);
        return rows;
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
            rows++;
        }
        return isConstant ? null : use;
    }

    /** Returns a variable of at least the use and at least the reserved slots. */
    private IntVar claim(Account account, LinearExprBuilder use) {
        long most = account.claim(Math.min(account.limit(), MANY));
        IntVar claim = model.newIntVar(account.kept(), most, "b[" + account.type() + "," + account.name() + "]");
        model.addLessOrEqual(use, claim);
        rows++;
        return claim;
    }
}
