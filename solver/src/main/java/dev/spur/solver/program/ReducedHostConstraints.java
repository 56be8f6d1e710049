package dev.spur.solver.program;

import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.job.HostDemand;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.HostUnits;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntToDoubleFunction;
import java.util.function.ToDoubleFunction;

/** Kept allocations on hosts whose capacity has decreased: on each node, their demand is at most the rest. */
final class ReducedHostConstraints {
    private final CpModel model;
    private final VariableFixing fixing;
    private final CandidateVariables x;
    private int rows;

    ReducedHostConstraints(CpModel model, VariableFixing fixing, CandidateVariables x) {
        this.model = model;
        this.fixing = fixing;
        this.x = x;
    }

    int add() {
        keptHostsAreNotOversubscribed(HostDemand::cpusPerSlot, fixing.residual()::cpus);
        keptHostsAreNotOversubscribed(HostDemand::memoryGiBPerSlot, fixing.residual()::memory);
        return rows;
    }

    private void keptHostsAreNotOversubscribed(ToDoubleFunction<HostDemand> demand, IntToDoubleFunction left) {
        CandidateSet candidates = fixing.candidates();
        Map<Integer, LinearExprBuilder> used = new TreeMap<>();
        x.forEach((candidate, chosen) -> {
            Allocation held = candidates.job(candidate.job()).allocation();
            if (candidate.kept() && held != null) {
                double each = demand.applyAsDouble(candidates.host(candidate));
                for (NodeShare piece : held.placement()) {
                    used.computeIfAbsent(candidates.hardware().indexOf(piece.node()), v -> LinearExpr.newBuilder())
                            .addTerm(chosen, HostUnits.demand(each * piece.slots()));
                }
            }
        });
        used.forEach((v, sum) -> {
            model.addLessOrEqual(sum, HostUnits.supply(left.applyAsDouble(v)));
            rows++;
        });
    }
}
