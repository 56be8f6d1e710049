package dev.spur.solver.program;

import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.IntVar;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.quota.QuotaSystem;
import dev.spur.solver.quota.QuotaSystem.Account;

/** Constraints of quotas. Variables {@code claim[type,account]}: claim of an account on the one above. */
final class QuotaConstraints {
    private final CpModel program;
    private final CandidateSet candidates;
    private final CandidateVariables chosen;
    private final long most;
    private int rows;

    QuotaConstraints(CpModel program, CandidateSet candidates, CandidateVariables chosen) {
        this.program = program;
        this.candidates = candidates;
        this.chosen = chosen;
        long slots = 0;
        for (int j = 0; j < candidates.jobs(); j++) {
            long largest = 0;
            for (int c = candidates.first(j); c < candidates.end(j); c++) {
                largest = Math.max(largest, candidates.get(c).slots());
            }
            slots += largest;
        }
        most = slots;
    }

    /** Adds the constraints and returns their number. */
    int add() {
        new QuotaSystem(candidates.problem()).accounts().forEach(this::quotasHold);
        return rows;
    }

    /** For each account: use <= limit, where use = slots of its tenants' jobs + claims of the accounts below. */
    private LinearExpr quotasHold(Account account) {
        LinearExprBuilder use = LinearExpr.newBuilder();
        if (!account.tenants().isEmpty()) {
            chosen.addTo(use, c -> counts(account, c), c -> c.slots());
        }
        for (Account below : account.accounts()) {
            use.add(claim(below, quotasHold(below)));
        }
        LinearExpr sum = use.build();
        if (account.limit() < Integer.MAX_VALUE) {
            program.addLessOrEqual(sum, account.limit());
            rows++;
        }
        return sum;
    }

    /** For each account below another: claim >= use and claim >= reserved slots. */
    private IntVar claim(Account account, LinearExpr use) {
        IntVar claim = program.newIntVar(
                account.kept(),
                Math.max(account.kept(), most + claimsBelow(account)),
                "claim[%s,%s]".formatted(account.type(), account.name()));
        program.addLessOrEqual(use, claim);
        rows++;
        return claim;
    }

    private static long claimsBelow(Account account) {
        return account.accounts().stream()
                .mapToLong(below -> below.kept() + claimsBelow(below))
                .sum();
    }

    private boolean counts(Account account, int c) {
        var candidate = candidates.get(c);
        return candidate.configuration().acceleratorType().equals(account.type())
                && account.tenants().contains(candidates.job(candidate.job()).tenant());
    }
}
