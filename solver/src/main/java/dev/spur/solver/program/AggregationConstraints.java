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
    private AggregationConstraints() {}

    /** Adds the rows of the pools with demand. */
    static void aggregationIsNotOversubscribed(CpModel model, VariableFixing fixing, CandidateVariables variables) {
        Map<String, LinearExprBuilder> demand = new LinkedHashMap<>();
        variables.forEach((candidate, chosen) -> {
            long thousandths = candidate.configuration().aggregationThousandths();
            if (thousandths > 0) {
                demand.computeIfAbsent(candidate.configuration().pool(), pool -> LinearExpr.newBuilder())
                        .addTerm(chosen, thousandths);
            }
        });
        demand.forEach((pool, sum) -> RoundConstraint.AGGREGATION.nameRow(
                model.addLessOrEqual(sum, fixing.residual().aggregation(pool))));
    }
}
