package dev.spur.model.round;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.dataprep.Preparation;
import dev.spur.model.dataprep.PreparationAllocation;
import dev.spur.model.job.Job;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The effect of lost nodes, and of maintenance that has started, on jobs and preparations. */
public final class NodeLossHandling {
    private NodeLossHandling() {}

    /**
     * Returns the problem without the allocations on lost nodes. A job loses its allocation and begins to wait now if
     * one of its nodes is lost, is missing, or has changed: another pool or accelerator type, or without the job's
     * devices. A preparation begins to wait if its node is lost or missing; it loses the loans of such nodes. Nodes
     * under maintenance count as lost.
     */
    public static RoundProblem stopJobs(RoundProblem problem) {
        Map<String, Node> available = new HashMap<>();
        Maintenance maintenance = new Maintenance(problem);
        problem.nodes().stream()
                .filter(node -> node.state() != NodeState.LOST && !maintenance.holds(node.id()))
                .forEach(node -> available.put(node.id(), node));
        List<Job> jobs = problem.jobs().stream()
                .map(job -> isIntact(job, available) ? job : job.withoutAllocationSince(problem.now()))
                .toList();
        return problem.withJobs(jobs)
                .withPreparations(problem.preparations().stream()
                        .map(preparation -> withoutLostNodes(preparation, available.keySet(), problem.now()))
                        .toList());
    }

    private static boolean isIntact(Job job, Map<String, Node> nodes) {
        Allocation allocation = job.allocation();
        if (allocation == null) {
            return true;
        }
        Configuration configuration = allocation.configuration();
        return allocation.placement().stream()
                        .allMatch(share -> provides(nodes.get(share.node()), configuration, share))
                && allocation.aggregation().stream()
                        .allMatch(share -> isIn(nodes.get(share.node()), configuration.pool()));
    }

    private static boolean provides(@Nullable Node node, Configuration configuration, NodeShare share) {
        return node != null
                && isIn(node, configuration.pool())
                && configuration.acceleratorType().equals(node.acceleratorType())
                && node.devices().containsAll(share.devices());
    }

    private static boolean isIn(@Nullable Node node, String pool) {
        return node != null && node.pool().equals(pool);
    }

    private static Preparation withoutLostNodes(Preparation preparation, Set<String> available, double now) {
        PreparationAllocation allocation = preparation.grant();
        if (allocation == null) {
            return preparation;
        }
        return available.contains(allocation.node())
                ? preparation.withGrant(allocation.withLoans(allocation.loans().stream()
                        .filter(loan -> available.contains(loan.lender()))
                        .toList()))
                : waiting(preparation, now);
    }

    private static Preparation waiting(Preparation stoppedPreparation, double now) {
        return Preparation.of(
                stoppedPreparation.id(),
                stoppedPreparation.tenant(),
                now,
                stoppedPreparation.spec(),
                stoppedPreparation.remainingSeconds(),
                null);
    }
}
