package dev.spur.solver.program;

import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.LinearExpr;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.HostDemand;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.HostUnits;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/**
 * Constraints of each pool: aggregation slots over all nodes together, and kept allocations on hosts whose capacity has
 * decreased.
 */
final class PoolCapacityConstraints {
    private static final double TOLERANCE = 1e-9;

    private final CpModel program;
    private final CandidateSet candidates;
    private final CandidateVariables chosen;
    private int rows;

    PoolCapacityConstraints(CpModel program, CandidateSet candidates, CandidateVariables chosen) {
        this.program = program;
        this.candidates = candidates;
        this.chosen = chosen;
    }

    /** Adds the constraints and returns their number. */
    int add() {
        Set<String> pools = new TreeSet<>();
        for (int c : chosen.live()) {
            if (candidates.get(c).configuration().aggregationThousandths() > 0) {
                pools.add(candidates.get(c).configuration().pool());
            }
        }
        pools.forEach(this::aggregationIsNotOversubscribed);
        keptHostsAreNotOversubscribed(HostDemand::cpusPerSlot, Node::cpus);
        keptHostsAreNotOversubscribed(HostDemand::memoryGiBPerSlot, Node::memoryGiB);
        return rows;
    }

    /**
     * For each pool: thousandths of aggregation slots of chosen candidates that may move <= thousandths left by pinned
     * jobs.
     */
    private void aggregationIsNotOversubscribed(String pool) {
        LinearExpr used = chosen.sum(
                c -> !candidates.isPinned(candidates.get(c).job()), candidate -> aggregation(candidate, pool));
        program.addLessOrEqual(used, candidates.aggregationThousandths(pool));
        rows++;
    }

    private static long aggregation(Candidate candidate, String pool) {
        return candidate.configuration().pool().equals(pool)
                ? candidate.configuration().aggregationThousandths()
                : 0;
    }

    /**
     * For each node whose capacity has decreased below the demand of its allocations: demand of kept allocations that
     * may move <= capacity left by pinned jobs.
     */
    private void keptHostsAreNotOversubscribed(ToDoubleFunction<HostDemand> demand, ToDoubleFunction<Node> supply) {
        List<Node> nodes = candidates.hardware().nodes();
        double[] least = kept(demand, true);
        double[] movable = kept(demand, false);
        for (int v = 0; v < nodes.size(); v++) {
            int node = v;
            double has = supply.applyAsDouble(nodes.get(v));
            if (movable[v] > 0 && movable[v] + least[v] > has + TOLERANCE) {
                LinearExpr used = chosen.sum(
                        c -> candidates.get(c).kept()
                                && !candidates.isPinned(candidates.get(c).job()),
                        c -> HostUnits.demand(demandOn(node, c.job(), demand)));
                program.addLessOrEqual(used, HostUnits.supply(Math.max(0, has - least[v])));
                rows++;
            }
        }
    }

    /** Returns by node the demand of candidates that keep an allocation: those of pinned jobs, or the others. */
    private double[] kept(ToDoubleFunction<HostDemand> demand, boolean pinned) {
        double[] sums = new double[candidates.hardware().nodes().size()];
        for (int j = 0; j < candidates.jobs(); j++) {
            var held = candidates.job(j).allocation();
            int kept = candidates.kept(j);
            if (held != null && kept >= 0 && candidates.isPinned(j) == pinned) {
                double each = demand.applyAsDouble(candidates.host(candidates.get(kept)));
                held.placement()
                        .forEach(piece -> sums[candidates.hardware().indexOf(piece.node())] += piece.slots() * each);
            }
        }
        return sums;
    }

    private double demandOn(int v, int j, ToDoubleFunction<HostDemand> demand) {
        var held = candidates.job(j).allocation();
        if (held == null) {
            return 0;
        }
        String node = candidates.hardware().nodes().get(v).id();
        int slots = held.placement().stream()
                .filter(piece -> piece.node().equals(node))
                .mapToInt(NodeShare::slots)
                .sum();
        return slots * demand.applyAsDouble(candidates.job(j).spec().hostIn(held.configuration()));
    }
}
