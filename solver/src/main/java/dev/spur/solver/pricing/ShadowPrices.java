package dev.spur.solver.pricing;

import dev.spur.model.job.HostDemand;
import dev.spur.model.round.ResourceKind;
import dev.spur.model.round.ShadowPrice;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.NodeClass;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Shadow prices of the resources that users know. The caller adds comparisons and explanations. */
final class ShadowPrices {
    private static final Map<String, ResourceKind> KINDS = Map.of(
            "aggregation:", ResourceKind.AGGREGATION_SLOT,
            "cpus:", ResourceKind.HOST_CPU,
            "memory:", ResourceKind.HOST_MEMORY_GIB,
            "group-slots:", ResourceKind.GROUP_SLOT,
            "group-jobs:", ResourceKind.GROUP_JOB,
            "restarts", ResourceKind.RESTART);

    private ShadowPrices() {}

    /**
     * Returns a price for each class of nodes, pool with aggregation, host that could be short, quota and cap.
     *
     * @param rows coarse rows, which have names that users know
     */
    static List<ShadowPrice> of(CandidateSet candidates, CouplingConstraints rows, DualSolution prices) {
        List<ShadowPrice> found = new ArrayList<>();
        ResidualCapacity left = new ResidualCapacity(candidates);
        for (NodeClass nodeClass : candidates.hardware().classes()) {
            double slots = nodeClass.nodes().stream().mapToInt(left::slots).sum();
            found.add(new ShadowPrice(
                    "slots:" + NodeClassNames.of(candidates.hardware(), nodeClass),
                    ResourceKind.SLOT,
                    perSlot(nodeClass, rows, prices),
                    slots,
                    null,
                    ""));
        }
        for (int r = 0; r < rows.rows().size(); r++) {
            CouplingConstraints.Row row = rows.rows().get(r);
            double price = Math.max(0, prices.byRow()[r]);
            KINDS.forEach((prefix, kind) -> {
                if (row.name().startsWith(prefix)) {
                    found.add(new ShadowPrice(row.name(), kind, price, row.capacity(), null, ""));
                }
            });
        }
        for (QuotaAccounts.Limit limit : rows.limits()) {
            found.add(new ShadowPrice(
                    limit.name(), ResourceKind.QUOTA_SLOT, ofOneMore(limit, prices), limit.most(), null, ""));
        }
        return List.copyOf(found);
    }

    /**
     * Returns the price of one more slot for an account. It is the price of its row plus the largest price among the
     * accounts below that this slot allows to use one more. Only the largest counts, because one slot allows only one
     * of them to use more.
     */
    private static double ofOneMore(QuotaAccounts.Limit limit, DualSolution prices) {
        double own = limit.row() < 0 ? 0 : Math.max(0, prices.byRow()[limit.row()]);
        return own
                + limit.boundBelow().stream()
                        .mapToDouble(below -> ofOneMore(below, prices))
                        .max()
                        .orElse(0);
    }

    /**
     * Returns the price per slot. A whole node of n slots holds floor(n / s) pieces of size s, each at the price of its
     * row; a slot is the n-th part.
     */
    private static double perSlot(NodeClass nodeClass, CouplingConstraints rows, DualSolution prices) {
        int slots = nodeClass.slotsPerNode();
        double node = rows.nodeRows().price(nodeClass.index(), slots, HostDemand.NONE, prices.byRow());
        return slots == 0 ? 0 : Math.max(0, node / slots);
    }
}
