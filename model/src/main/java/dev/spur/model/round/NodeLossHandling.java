package dev.spur.model.round;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.dataprep.Preparation;
import dev.spur.model.dataprep.PreparationAllocation;
import dev.spur.model.job.Job;
import dev.spur.model.job.ServiceHistory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the loss of nodes, and maintenance that begins on them, does to jobs. */
public final class NodeLossHandling {
    private NodeLossHandling() {}

    /**
     * The problem in which each job that holds a part of a node that is lost, is not there any more, or has come back
     * as another one (of another pool or accelerator type, or without the devices) holds nothing and begins to wait
     * now. A preparation whose node is lost or not there any more waits as well; what it has borrowed from such a node
     * is gone. Nodes that are in maintenance count as lost.
     */
    public static RoundProblem stopJobs(RoundProblem problem) {
        Map<String, Node> there = new HashMap<>();
        Maintenance maintenance = new Maintenance(problem);
        problem.nodes().stream()
                .filter(node -> node.state() != NodeState.LOST && !maintenance.holds(node.id()))
                .forEach(node -> there.put(node.id(), node));
        List<Job> jobs = problem.jobs().stream()
                .map(job -> standsOn(job, there) ? job : stopped(job, problem.now()))
                .toList();
        return problem.withJobs(jobs)
                .withPreparations(problem.preparations().stream()
                        .map(preparation -> standing(preparation, there.keySet(), problem.now()))
                        .toList());
    }

    private static boolean standsOn(Job job, Map<String, Node> nodes) {
        Allocation allocation = job.allocation();
        if (allocation == null) {
            return true;
        }
        Configuration shape = allocation.configuration();
        return allocation.placement().stream().allMatch(piece -> carries(nodes.get(piece.node()), shape, piece))
                && allocation.aggregation().stream().allMatch(share -> isIn(nodes.get(share.node()), shape.pool()));
    }

    private static boolean carries(@Nullable Node node, Configuration shape, NodeShare piece) {
        return node != null
                && isIn(node, shape.pool())
                && shape.acceleratorType().equals(node.acceleratorType())
                && node.devices().containsAll(piece.devices());
    }

    private static boolean isIn(@Nullable Node node, String pool) {
        return node != null && node.pool().equals(pool);
    }

    private static Preparation standing(Preparation preparation, Set<String> there, double now) {
        PreparationAllocation grant = preparation.grant();
        if (grant == null) {
            return preparation;
        }
        return there.contains(grant.node())
                ? preparation.withGrant(grant.withLoans(grant.loans().stream()
                        .filter(loan -> there.contains(loan.lender()))
                        .toList()))
                : waiting(preparation, now);
    }

    private static Preparation waiting(Preparation stopped, double now) {
        return Preparation.of(stopped.id(), stopped.tenant(), now, stopped.spec(), stopped.remainingSeconds(), null);
    }

    private static Job stopped(Job job, double now) {
        ServiceHistory had = job.history();
        return new Job(
                job.id(),
                job.tenant(),
                job.arrival(),
                job.spec(),
                job.remainingSamples(),
                job.deadline(),
                job.deadlineStatus(),
                new ServiceHistory(had.attainedService(), had.runSeconds(), had.restarts(), had.firstStart(), now),
                null,
                job.profilingTarget());
    }
}
