package dev.spur.solver.program;

import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.IntVar;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.ResidualCluster;
import dev.spur.solver.quota.QuotaSystem.Account;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Constraints of quotas in a neighborhood, less the use of fixed jobs. Accounts without open candidates have no
 * constraint.
 */
final class NeighborhoodQuotas {
    /** More slots than any cluster has. */
    private static final long MANY = 1L << 40;

    /** Use of an account by fixed jobs, and by open candidates if there are any. */
    private record Use(long settled, @Nullable LinearExprBuilder open) {}

    private final CpModel program;
    private final CandidateSet candidates;
    private final ResidualCluster room;
    private final Map<Integer, ? extends IntVar> chosen;
    private final Map<String, Map<String, List<Integer>>> byTenantAndType = new HashMap<>();

    /**
     * @param room residual cluster without the fixed jobs
     * @param chosen variable by open candidate
     */
    NeighborhoodQuotas(
            CpModel program, CandidateSet candidates, ResidualCluster room, Map<Integer, ? extends IntVar> chosen) {
        this.program = program;
        this.candidates = candidates;
        this.room = room;
        this.chosen = chosen;
        for (int c : chosen.keySet()) {
            Candidate candidate = candidates.get(c);
            byTenantAndType
                    .computeIfAbsent(candidates.job(candidate.job()).tenant(), t -> new HashMap<>())
                    .computeIfAbsent(candidate.configuration().acceleratorType(), t -> new ArrayList<>())
                    .add(c);
        }
    }

    /** Adds the constraints. */
    void add() {
        candidates.quotas().accounts().forEach(this::quotaHolds);
    }

    /** For each account: use <= limit, where use = slots of its tenants' jobs + claims of the accounts below. */
    private Use quotaHolds(Account account) {
        long settled = 0;
        LinearExprBuilder open = LinearExpr.newBuilder();
        boolean any = false;
        for (String tenant : account.tenants()) {
            settled += room.held(tenant, account.type());
            Map<String, List<Integer>> own = byTenantAndType.getOrDefault(tenant, Map.of());
            for (int c : own.getOrDefault(account.type(), List.of())) {
                open.addTerm(chosen.get(c), candidates.get(c).slots());
                any = true;
            }
        }
        for (Account below : account.accounts()) {
            Use use = quotaHolds(below);
            if (use.open() == null) {
                settled += Math.max(below.kept(), use.settled());
            } else {
                open.add(claim(below, use.open()));
                any = true;
            }
        }
        open.add(settled);
        if (any && account.limit() < Integer.MAX_VALUE) {
            program.addLessOrEqual(open, account.limit());
        }
        return new Use(settled, any ? open : null);
    }

    /** For each account below another: claim >= use and claim >= reserved slots. */
    private IntVar claim(Account account, LinearExprBuilder use) {
        IntVar claim =
                program.newIntVar(account.kept(), MANY, "claim[%s,%s]".formatted(account.type(), account.name()));
        program.addLessOrEqual(use, claim);
        return claim;
    }
}
