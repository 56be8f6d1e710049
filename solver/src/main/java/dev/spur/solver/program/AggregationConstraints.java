package dev.spur.solver.program;

import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.IntVar;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import dev.spur.solver.aggregation.AggregatorDemand;
import dev.spur.solver.placement.AggregatorNeed;
import dev.spur.solver.placement.HostUnits;
import dev.spur.solver.placement.ResidualCapacity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * CPUs of aggregators. For each pool, the slots of jobs that do not share plus the number of shared aggregators are at
 * most the CPUs that aggregators have on its nodes.
 *
 * <p>Variables {@code n[pool]}: shared aggregators, at least the sum of effective bandwidths, and the slots of each
 * job. Variables {@code a[node]}: CPUs of aggregators on a node where open jobs could take them; a constant elsewhere.
 * All in thousandths.
 */
final class AggregationConstraints {
    private final CpModel model;
    private final VariableFixing fixing;
    private final CandidateVariables variables;
    private final ResidualCapacity residual;
    private final Map<String, PoolRows> pools = new LinkedHashMap<>();
    private final List<AggregatorShare> aggregatorShares = new ArrayList<>();

    /** Thousandths of CPUs of {@code nodes} together. */
    private record AggregatorShare(IntVar variable, List<Integer> nodes) {}

    /** Terms of the rows of one pool. */
    private static final class PoolRows {
        private final LinearExprBuilder use = LinearExpr.newBuilder();
        private final LinearExprBuilder shared = LinearExpr.newBuilder();
        /** By open job: slots of its candidates that share. */
        private final Map<Integer, LinearExprBuilder> widths = new LinkedHashMap<>();

        private @Nullable IntVar sharedVariable;
    }

    AggregationConstraints(CpModel model, VariableFixing fixing, CandidateVariables variables) {
        this.model = model;
        this.fixing = fixing;
        this.variables = variables;
        this.residual = fixing.residual();
        variables.forEach((candidate, chosen) -> {
            AggregatorDemand demand = fixing.candidates().aggregators(candidate);
            if (demand.slots() > 0) {
                PoolRows rows = rowsOf(candidate.configuration().pool());
                if (demand.shares()) {
                    rows.shared.addTerm(chosen, demand.cpus());
                    rows.widths
                            .computeIfAbsent(candidate.job(), j -> LinearExpr.newBuilder())
                            .addTerm(chosen, demand.slots());
                } else {
                    rows.use.addTerm(chosen, demand.slots());
                }
            }
        });
        for (int c : fixing.choice()) {
            if (c >= 0 && fixing.candidates().get(c).configuration().aggregationThousandths() > 0) {
                rowsOf(fixing.candidates().get(c).configuration().pool());
            }
        }
    }

    private PoolRows rowsOf(String pool) {
        return pools.computeIfAbsent(pool, p -> new PoolRows());
    }

    /** Returns whether aggregators need CPUs of node {@code v}: open or fixed jobs of its pool have some. */
    boolean needsCpusOf(int v, String pool) {
        return pools.containsKey(pool) && residual.cluster().aggregatorCpuUnitsOn(v) > 0;
    }

    /**
     * Returns a variable for the thousandths of aggregators on {@code nodes} of {@code pool}, instead of a constant.
     */
    IntVar variable(String pool, List<Integer> nodes) {
        long thousandths = sum(nodes, residual.cluster()::aggregatorCpuUnitsOn);
        long least = Math.min(thousandths, sum(nodes, residual.cluster()::fixedAggregatorCpuUnitsOn));
        IntVar variable = model.newIntVar(least, thousandths, "a[" + nodes.get(0) + "]");
        aggregatorShares.add(new AggregatorShare(variable, nodes));
        rowsOf(pool).use.addTerm(variable, -1).add(thousandths);
        return variable;
    }

    private static long sum(List<Integer> nodes, IntToLongFunction units) {
        return HostUnits.thousandths(
                nodes.stream().mapToLong(units::applyAsLong).sum());
    }

    /** Adds the rows of the pools with demand, once all variables exist. */
    void aggregationIsNotOversubscribed() {
        pools.forEach((pool, rows) -> {
            AggregatorNeed need = residual.aggregatorNeed(pool);
            long supply = HostUnits.thousandths(residual.aggregatorCpuUnits(pool)) - need.ofJobsAlone();
            if (!rows.widths.isEmpty() || need.widest() > 0) {
                long least = Math.max(need.minimum(), Math.max(need.bandwidth(), need.widest()));
                // Where hosts have shrunk, pinned jobs continue beyond them.
                supply = Math.max(supply, least);
                IntVar shared = model.newIntVar(least, supply, "n[" + pool + "]");
                rows.sharedVariable = shared;
                RoundConstraint.AGGREGATION.nameRow(model.addLessOrEqual(rows.shared.add(need.bandwidth()), shared));
                rows.widths
                        .values()
                        .forEach(width -> RoundConstraint.AGGREGATION.nameRow(model.addLessOrEqual(width, shared)));
                rows.use.addTerm(shared, 1);
            }
            RoundConstraint.AGGREGATION.nameRow(model.addLessOrEqual(rows.use, supply));
        });
    }

    /**
     * Passes the CPUs of aggregators to the solver as a hint.
     *
     * @param choice candidate by job
     * @param used by node, the CPUs that slots of open jobs take, in units
     */
    void hint(int[] choice, Map<Integer, Long> used) {
        for (AggregatorShare share : aggregatorShares) {
            model.addHint(
                    share.variable(),
                    sum(share.nodes(), v -> residual.cluster().aggregatorCpuUnitsOn(v, used.getOrDefault(v, 0L))));
        }
        pools.forEach((pool, rows) -> {
            if (rows.sharedVariable != null) {
                long sum = residual.aggregatorNeed(pool).bandwidth();
                long widest = Math.max(
                        residual.aggregatorNeed(pool).widest(),
                        residual.aggregatorNeed(pool).minimum());
                for (int j : fixing.open().keySet()) {
                    if (choice[j] >= 0
                            && variables.isOpen(choice[j])
                            && fixing.candidates()
                                    .get(choice[j])
                                    .configuration()
                                    .pool()
                                    .equals(pool)) {
                        AggregatorDemand demand = fixing.candidates()
                                .aggregators(fixing.candidates().get(choice[j]));
                        sum += demand.shares() ? demand.cpus() : 0;
                        widest = Math.max(widest, demand.shares() ? demand.slots() : 0);
                    }
                }
                model.addHint(rows.sharedVariable, Math.max(sum, widest));
            }
        });
    }
}
