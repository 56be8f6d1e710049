package dev.spur.model.utility;

import dev.spur.model.cluster.Node;
import dev.spur.model.dataprep.Loan;
import dev.spur.model.dataprep.Preparation;
import dev.spur.model.dataprep.PreparationAllocation;
import dev.spur.model.dataprep.PreparationSpec;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.tenant.FairShare;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The utility of an allocation of a preparation. Waiting has utility 0.
 *
 * <pre>
 * utility = w * urgency * (1 / slowdown - sum over loans of (0.05 * risk + 0.02 * [other rack]) * GiB / working set)
 * urgency = (600 / (600 + remaining seconds))^0.2 * (1 + wait / aging time)
 * </pre>
 *
 * <p>Here w is the weight of the preparation times that of its tenants. A loan from a node of an unknown rack counts as
 * one from another rack. The urgency has the form of that of training jobs: preparations closest to their end go first.
 */
public final class PreparationUtility {
    private static final double RISK_COST = 0.05;
    private static final double RACK_COST = 0.02;
    private static final double SHORT_SECONDS = 600;
    private static final double EXPONENT = 0.2;

    private final double now;
    private final double agingSeconds;
    private final FairShare fairShare;
    private final Map<String, String> racks = new HashMap<>();
    private final Map<String, Double> risks = new HashMap<>();

    public PreparationUtility(RoundProblem problem) {
        now = problem.now();
        agingSeconds = problem.settings().agingSeconds();
        fairShare = problem.fairShare();
        for (Node node : problem.nodes()) {
            if (node.rack() != null) {
                racks.put(node.id(), node.rack());
            }
        }
        problem.memoryUse().forEach(use -> risks.put(use.node(), use.risk()));
    }

    /** Returns the utility of {@code preparation} at its maximum speed, above 0. */
    public double atFullSpeed(Preparation preparation) {
        double urgency = Math.pow(SHORT_SECONDS / (SHORT_SECONDS + preparation.remainingSeconds()), EXPONENT);
        double aging = 1 + preparation.waitingSeconds(now) / agingSeconds;
        return preparation.spec().effectiveWeight() * fairShare.weightOf(preparation.tenant()) * urgency * aging;
    }

    /** Returns the utility of {@code preparation} with {@code allocation}, above 0 for all but the riskiest loans. */
    public double of(Preparation preparation, PreparationAllocation allocation) {
        PreparationSpec spec = preparation.spec();
        double gain = 1 / spec.slowDown(allocation.localGiB(), allocation.borrowedGiB());
        for (Loan loan : allocation.loans()) {
            gain -= lossOf(loan.lender(), allocation.node()) * loan.gib() / spec.workingSetGiB();
        }
        return atFullSpeed(preparation) * gain;
    }

    /**
     * Returns the relative loss of utility of a preparation on {@code node} if {@code lender} lends its whole working
     * set, from 0 to 0.07.
     */
    public double lossOf(String lender, String node) {
        return RISK_COST * risks.getOrDefault(lender, 0.0) + (isSameRack(lender, node) ? 0 : RACK_COST);
    }

    /** Returns true if both nodes are known to be in the same rack. */
    public boolean isSameRack(String one, String other) {
        @Nullable String rack = racks.get(one);
        return rack != null && Objects.equals(rack, racks.get(other));
    }
}
