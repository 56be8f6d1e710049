package dev.spur.solver.program;

import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.IntVar;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import dev.spur.model.job.Job;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.quota.QuotaSystem;
import dev.spur.solver.quota.QuotaSystem.Account;
import dev.spur.solver.quota.QuotaUsage;
import org.jspecify.annotations.Nullable;

/**
 * Quotas with borrowing: for each account a, {@code use[a] <= limit[a]}. Its use is the sum of {@code units(c) * x[c]}
 * over the jobs of its tenants, plus {@code claim[b]} over its child accounts b, plus the use by fixed jobs. A claim
 * satisfies {@code claim[b] >= use[b]} and {@code claim[b] >= retained[b]}, so that no account borrows a reserved slot.
 * {@link QuotaSystem} has the accounts and their limits. Jobs that are not preemptible also count in accounts of their
 * own, whose limits are the nominal quotas.
 */
final class QuotaConstraints {
    private final CpModel model;
    private final CandidateSet candidates;
    private final QuotaSystem quotas;
    /** Claim by account; null where it is constant. */
    private final @Nullable IntVar[] claims;

    /** Adds the rows of the accounts with open candidates. */
    QuotaConstraints(CpModel model, VariableFixing fixing, CandidateVariables variables) {
        this.model = model;
        this.candidates = fixing.candidates();
        this.quotas = candidates.quotas();
        this.claims = new IntVar[quotas.size()];
        LinearExprBuilder[] use = new LinearExprBuilder[quotas.size()];
        variables.forEach((candidate, chosen) -> {
            for (int a : accountsOf(candidate)) {
                if (a >= 0) {
                    of(use, a).addTerm(chosen, candidates.units(candidate));
                }
            }
        });
        // Accounts below have larger numbers than those above, so that their claims are known.
        for (int a = use.length - 1; a >= 0; a--) {
            if (use[a] != null) {
                quotasHold(a, use, fixing.residual().quotas());
            }
        }
    }

    private void quotasHold(int a, LinearExprBuilder[] use, QuotaUsage fixedUsage) {
        Account account = quotas.account(a);
        LinearExprBuilder own = of(use, a).add(fixedUsage.use(a));
        if (account.limit() < Integer.MAX_VALUE) {
            RoundConstraint.QUOTAS.nameRow(model.addLessOrEqual(own, account.limit()));
        }
        if (quotas.above(a) >= 0) {
            IntVar claim = model.newIntVar(
                    account.retained(), Integer.MAX_VALUE, "b[" + account.type() + "," + account.name() + "]");
            RoundConstraint.QUOTAS.nameRow(model.addLessOrEqual(own, claim));
            claims[a] = claim;
            // The use of the account above by fixed jobs contains the claim without open jobs.
            of(use, quotas.above(a)).add(claim).add(-fixedUsage.claim(a));
        }
    }

    private static LinearExprBuilder of(LinearExprBuilder[] use, int a) {
        if (use[a] == null) {
            use[a] = LinearExpr.newBuilder();
        }
        return use[a];
    }

    /** Returns the account of the tenant and that of its non-preemptible jobs; -1 for none. */
    private int[] accountsOf(Candidate candidate) {
        Job job = candidates.job(candidate.job());
        String type = candidate.configuration().acceleratorType();
        return new int[] {quotas.accountOf(job.tenant(), type), quotas.nonPreemptibleAccountOf(job, type)};
    }

    /** Passes the claims at a choice to the solver as a hint: the candidate of each job, or -1 for waiting. */
    void hint(int[] choice) {
        QuotaUsage usage = new QuotaUsage(quotas);
        for (int c : choice) {
            if (c >= 0) {
                for (int a : accountsOf(candidates.get(c))) {
                    usage.add(a, candidates.units(candidates.get(c)));
                }
            }
        }
        for (int a = 0; a < claims.length; a++) {
            IntVar claim = claims[a];
            if (claim != null) {
                model.addHint(claim, usage.claim(a));
            }
        }
    }
}
