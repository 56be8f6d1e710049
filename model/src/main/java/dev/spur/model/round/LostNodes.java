package dev.spur.model.round;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.job.Job;
import dev.spur.model.job.ServiceHistory;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What the loss of nodes does to jobs. */
public final class LostNodes {
    private LostNodes() {}

    /**
     * The problem in which each job that holds a part of a node that is lost, or is not there any more, holds nothing and
     * begins to wait now.
     */
    public static RoundProblem stopJobs(RoundProblem problem) {
        Set<String> there = new HashSet<>();
        problem.nodes().stream().filter(node -> node.state() != NodeState.LOST).forEach(node -> there.add(node.id()));
        List<Job> jobs = problem.jobs().stream()
                .map(job -> standsOn(job, there) ? job : stopped(job, problem.now()))
                .toList();
        return problem.withJobs(jobs);
    }

    private static boolean standsOn(Job job, Set<String> nodes) {
        Allocation allocation = job.allocation();
        return allocation == null
                || (allocation.placement().stream().allMatch(piece -> nodes.contains(piece.node()))
                        && allocation.aggregation().stream().allMatch(share -> nodes.contains(share.node())));
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
                job.promise(),
                new ServiceHistory(had.attainedService(), had.runSeconds(), had.restarts(), had.firstStart(), now),
                null);
    }
}
