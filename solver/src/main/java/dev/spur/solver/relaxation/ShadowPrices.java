package dev.spur.solver.relaxation;

import dev.spur.model.round.ResourceKind;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.HostLimits;
import dev.spur.solver.candidate.NodeAtom;
import dev.spur.solver.placement.ResidualCapacity;
import dev.spur.solver.placement.ResidualCluster;
import dev.spur.solver.resource.DualPrice;
import dev.spur.solver.resource.ResourceKey;
import java.util.ArrayList;
import java.util.List;

/** Shadow prices of the resources that the plan reports. */
public final class ShadowPrices {
    private ShadowPrices() {}

    /** Returns a price for each atom, pool with aggregation, host that could be short, quota and cap. */
    public static List<DualPrice> of(
            CandidateSet candidates, CouplingConstraints constraints, DualSolution dualSolution) {
        List<DualPrice> prices = new ArrayList<>();
        ResidualCluster residualCluster =
                ResidualCapacity.withoutPinned(candidates).cluster();
        for (NodeAtom atom : candidates.clusterIndex().atoms()) {
            prices.add(new DualPrice(
                    new ResourceKey.Slots(atom.name()),
                    Math.max(0, constraints.patternCapacity().slotPrice(atom, dualSolution.byRow())),
                    atom.nodes().stream().mapToInt(residualCluster::slots).sum()));
        }
        for (NodeAtom atom : candidates.clusterIndex().atoms()) {
            addHostPrices(candidates, atom, residualCluster, constraints, dualSolution, prices);
        }
        int perSlot = candidates.quotas().units().perSlot();
        for (int r = 0; r < constraints.rows().size(); r++) {
            CouplingConstraints.Row row = constraints.rows().get(r);
            if (row.key() instanceof ResourceKey.Reported reported && isPricedByItsRow(reported)) {
                int each = reported.kind() == ResourceKind.GROUP_SLOT ? perSlot : 1;
                prices.add(
                        new DualPrice(reported, each * Math.max(0, dualSolution.byRow()[r]), row.capacity() / each));
            }
        }
        for (QuotaAccounts.Limit limit : constraints.limits()) {
            prices.add(new DualPrice(
                    limit.quotaSlots(), perSlot * ofOneMore(limit, dualSolution), (double) limit.max() / perSlot));
        }
        return List.copyOf(prices);
    }

    /** Returns whether the dual value of the row of {@code reported} is its price. */
    private static boolean isPricedByItsRow(ResourceKey.Reported reported) {
        return switch (reported.kind()) {
            case HOST_CPU -> reported instanceof ResourceKey.PoolCpus;
            case SLOT, HOST_MEMORY_GIB, QUOTA_SLOT -> false;
            case AGGREGATION_SLOT, GROUP_SLOT, GROUP_JOB, RESTART -> true;
        };
    }

    /**
     * Returns the price of one more unit of slots for an account. It is the price of its row plus the largest price
     * among the accounts below that this slot allows to use one more. Only the largest counts, because one slot allows
     * only one of them to use more.
     */
    private static double ofOneMore(QuotaAccounts.Limit limit, DualSolution dualSolution) {
        double above = limit.claimed().stream()
                .mapToDouble(r -> dualSolution.byRow()[r])
                .sum();
        double own = limit.row() < 0 ? 0 : Math.max(0, dualSolution.byRow()[limit.row()] - above);
        return own
                + limit.lowerLimits().stream()
                        .mapToDouble(below -> ofOneMore(below, dualSolution))
                        .max()
                        .orElse(0);
    }

    private static void addHostPrices(
            CandidateSet candidates,
            NodeAtom atom,
            ResidualCluster residualCluster,
            CouplingConstraints constraints,
            DualSolution dualSolution,
            List<DualPrice> prices) {
        HostLimits limits =
                HostLimits.of(candidates, candidates.clusterIndex().classes().get(atom.nodeClass()));
        if (limits.cpus()) {
            prices.add(new DualPrice(
                    new ResourceKey.HostCpus(atom.name()),
                    Math.max(0, constraints.patternCapacity().cpuPrice(atom, dualSolution.byRow())),
                    atom.nodes().stream().mapToDouble(residualCluster::cpus).sum()));
        }
        if (limits.memory()) {
            prices.add(new DualPrice(
                    new ResourceKey.HostMemory(atom.name()),
                    Math.max(0, constraints.patternCapacity().memoryPrice(atom, dualSolution.byRow())),
                    atom.nodes().stream().mapToDouble(residualCluster::memory).sum()));
        }
    }
}
