package dev.spur.solver.program;

import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Aggregation: for each pool, the sum of {@code aggregationThousandths(c) * x[c]} is at most the remaining thousandths
 * of its aggregation slots.
 */
final class AggregationConstraints {
    private final CpModel model;
    private final VariableFixing fixing;
    private final CandidateVariables x;

    AggregationConstraints(CpModel model, VariableFixing fixing, CandidateVariables x) {
        this.model = model;
        this.fixing = fixing;
        this.x = x;
    }

    /** Adds the constraints and returns their number. Pools without demand have none. */
    int add() {
        return aggregationIsNotOversubscribed();
    }

    private int aggregationIsNotOversubscribed() {
        Map<String, LinearExprBuilder> demand = new LinkedHashMap<>();
        x.forEach((candidate, chosen) -> {
            long thousandths = candidate.configuration().aggregationThousandths();
            if (thousandths > 0) {
                demand.computeIfAbsent(candidate.configuration().pool(), pool -> LinearExpr.newBuilder())
                        .addTerm(chosen, thousandths);
            }
        });
        demand.forEach(
                (pool, sum) -> model.addLessOrEqual(sum, fixing.residual().aggregation(pool)));
        return demand.size();
    }
}
