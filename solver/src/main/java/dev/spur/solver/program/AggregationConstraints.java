package dev.spur.solver.program;

import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.IntVar;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import dev.spur.solver.placement.HostUnits;
import dev.spur.solver.placement.ResidualCapacity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * CPUs of aggregators. For each pool, the sum of {@code aggregationThousandths(c) * x[c]} is at most the thousandths
 * that aggregators of jobs that may move have on the nodes of the pool. Variables {@code a[node]}: these thousandths on
 * a node where open jobs could take CPUs from aggregators; a constant elsewhere.
 */
final class AggregationConstraints {
    private final CpModel model;
    private final ResidualCapacity residual;
    private final Map<String, LinearExprBuilder> demand = new LinkedHashMap<>();
    private final Map<String, Long> supply = new LinkedHashMap<>();
    private final List<AggregatorShare> aggregatorShares = new ArrayList<>();

    /** Thousandths of CPUs of {@code nodes} together. */
    private record AggregatorShare(IntVar variable, List<Integer> nodes) {}

    AggregationConstraints(CpModel model, VariableFixing fixing, CandidateVariables variables) {
        this.model = model;
        this.residual = fixing.residual();
        Set<String> pools = new LinkedHashSet<>();
        variables.forEach((candidate, chosen) -> {
            long thousandths = candidate.configuration().aggregationThousandths();
            if (thousandths > 0) {
                demandOf(candidate.configuration().pool()).addTerm(chosen, thousandths);
                pools.add(candidate.configuration().pool());
            }
        });
        for (int j = 0; j < fixing.choice().length; j++) {
            int c = fixing.choice()[j];
            if (c >= 0 && fixing.candidates().get(c).configuration().aggregationThousandths() > 0) {
                pools.add(fixing.candidates().get(c).configuration().pool());
            }
        }
        pools.forEach(pool -> supply.put(pool, residual.aggregation(pool)));
    }

    private LinearExprBuilder demandOf(String pool) {
        return demand.computeIfAbsent(pool, p -> LinearExpr.newBuilder());
    }

    /** Returns whether aggregators need CPUs of node {@code v}: open or fixed jobs of its pool have some. */
    boolean needsCpusOf(int v, String pool) {
        return supply.containsKey(pool) && residual.cluster().aggregatorCpuUnitsOn(v) > 0;
    }

    /**
     * Returns a variable for the thousandths of aggregators on {@code nodes} of {@code pool}, instead of a constant.
     */
    IntVar variable(String pool, List<Integer> nodes) {
        long thousandths = HostUnits.thousandths(nodes.stream()
                .mapToLong(residual.cluster()::aggregatorCpuUnitsOn)
                .sum());
        IntVar variable = model.newIntVar(0, thousandths, "a[" + nodes.get(0) + "]");
        aggregatorShares.add(new AggregatorShare(variable, nodes));
        supply.merge(pool, -thousandths, Long::sum);
        demandOf(pool).addTerm(variable, -1);
        return variable;
    }

    /**
     * Passes the CPUs for aggregators to the solver as a hint.
     *
     * @param used by node, the CPUs that slots of open jobs take, in units
     */
    void hint(Map<Integer, Long> used) {
        for (AggregatorShare share : aggregatorShares) {
            long units = share.nodes().stream()
                    .mapToLong(v -> residual.cluster().aggregatorCpuUnitsOn(v, used.getOrDefault(v, 0L)))
                    .sum();
            model.addHint(share.variable(), HostUnits.thousandths(units));
        }
    }

    /** Adds the rows of the pools with demand, once all variables exist. */
    void aggregationIsNotOversubscribed() {
        demand.forEach((pool, sum) ->
                RoundConstraint.AGGREGATION.nameRow(model.addLessOrEqual(sum, supply.getOrDefault(pool, 0L))));
    }
}
