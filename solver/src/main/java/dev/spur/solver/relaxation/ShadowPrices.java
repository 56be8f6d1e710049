package dev.spur.solver.relaxation;

import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.NodeAtom;
import dev.spur.solver.constraint.DualPrice;
import dev.spur.solver.constraint.HostLimits;
import dev.spur.solver.constraint.ResourceKey;
import dev.spur.solver.placement.ResidualCapacity;
import dev.spur.solver.placement.ResidualCluster;
import java.util.ArrayList;
import java.util.List;

/** Shadow prices of the resources that the plan reports. */
public final class ShadowPrices {
    private ShadowPrices() {}

    /** Returns a price for each atom, pool with aggregation, host that could be short, quota and cap. */
    public static List<DualPrice> of(CandidateSet candidates, CouplingConstraints rows, DualSolution prices) {
        List<DualPrice> found = new ArrayList<>();
        ResidualCluster left = ResidualCapacity.withoutPinned(candidates).cluster();
        for (NodeAtom atom : candidates.hardware().atoms()) {
            found.add(new DualPrice(
                    new ResourceKey.Slots(atom.name()),
                    Math.max(0, rows.nodeRows().slotPrice(atom, prices.byRow())),
                    atom.nodes().stream().mapToInt(left::slots).sum()));
        }
        for (NodeAtom atom : candidates.hardware().atoms()) {
            addHostPrices(candidates, atom, left, rows, prices, found);
        }
        for (int r = 0; r < rows.rows().size(); r++) {
            CouplingConstraints.Row row = rows.rows().get(r);
            if (row.key() instanceof ResourceKey.Reported key && isPricedByItsRow(key)) {
                found.add(new DualPrice(key, Math.max(0, prices.byRow()[r]), row.capacity()));
            }
        }
        for (QuotaAccounts.Limit limit : rows.limits()) {
            found.add(new DualPrice(limit.key(), ofOneMore(limit, prices), limit.max()));
        }
        return List.copyOf(found);
    }

    /** Returns whether the dual value of the row of {@code key} is its price. */
    private static boolean isPricedByItsRow(ResourceKey.Reported key) {
        return switch (key.kind()) {
            case SLOT, HOST_CPU, HOST_MEMORY_GIB, QUOTA_SLOT -> false;
            case AGGREGATION_SLOT, GROUP_SLOT, GROUP_JOB, RESTART -> true;
        };
    }

    /**
     * Returns the price of one more slot for an account. It is the price of its row plus the largest price among the
     * accounts below that this slot allows to use one more. Only the largest counts, because one slot allows only one
     * of them to use more.
     */
    private static double ofOneMore(QuotaAccounts.Limit limit, DualSolution prices) {
        double above =
                limit.claimed().stream().mapToDouble(r -> prices.byRow()[r]).sum();
        double own = limit.row() < 0 ? 0 : Math.max(0, prices.byRow()[limit.row()] - above);
        return own
                + limit.boundBelow().stream()
                        .mapToDouble(below -> ofOneMore(below, prices))
                        .max()
                        .orElse(0);
    }

    private static void addHostPrices(
            CandidateSet candidates,
            NodeAtom atom,
            ResidualCluster left,
            CouplingConstraints rows,
            DualSolution prices,
            List<DualPrice> found) {
        HostLimits limits =
                HostLimits.of(candidates, candidates.hardware().classes().get(atom.nodeClass()));
        if (limits.cpus()) {
            found.add(new DualPrice(
                    new ResourceKey.HostCpus(atom.name()),
                    Math.max(0, rows.nodeRows().cpuPrice(atom, prices.byRow())),
                    atom.nodes().stream().mapToDouble(left::cpus).sum()));
        }
        if (limits.memory()) {
            found.add(new DualPrice(
                    new ResourceKey.HostMemory(atom.name()),
                    Math.max(0, rows.nodeRows().memoryPrice(atom, prices.byRow())),
                    atom.nodes().stream().mapToDouble(left::memory).sum()));
        }
    }
}
