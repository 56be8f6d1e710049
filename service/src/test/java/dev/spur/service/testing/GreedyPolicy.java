package dev.spur.service.testing;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.Job;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.round.ChangeKind;
import dev.spur.model.round.PendingJob;
import dev.spur.model.round.PendingReason;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.SolutionQuality;
import dev.spur.model.round.SolveStatus;
import dev.spur.model.round.SolverStats;
import dev.spur.model.utility.Goodput;
import dev.spur.model.validation.PlanCheck;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** First come, first served, each job on its fewest slots on one node, with AllReduce; who runs stays. */
public final class GreedyPolicy implements Policy {
    @Override
    public String name() {
        return "greedy";
    }

    @Override
    public Decision decide(RoundProblem problem) {
        return Decision.of(planned(problem));
    }

    private static RoundPlan planned(RoundProblem problem) {
        Map<String, Set<String>> taken = new HashMap<>();
        problem.jobs().stream()
                .filter(job -> job.allocation() != null)
                .forEach(job -> job.allocation()
                        .placement()
                        .forEach(piece -> taken.computeIfAbsent(piece.node(), n -> new HashSet<>())
                                .addAll(piece.devices())));
        List<PlannedJob> running = new ArrayList<>();
        List<PendingJob> waiting = new ArrayList<>();
        for (Job job : problem.jobs()) {
            Allocation held = job.allocation();
            Allocation given = held != null ? held : place(problem, job, taken);
            if (given == null) {
                waiting.add(pending(job, waiting.size() + 1));
            } else {
                running.add(planned(problem, job, given));
            }
        }
        double utility = PlanCheck.objectiveValue(problem, running);
        Map<String, DeadlineStatus> deadlineStatuses = new TreeMap<>();
        problem.jobs().stream()
                .filter(job -> job.deadline() != null)
                .forEach(job -> deadlineStatuses.put(job.id(), DeadlineStatus.AT_RISK));
        return new RoundPlan(
                running,
                waiting,
                deadlineStatuses,
                SolutionQuality.of(SolveStatus.WORK_LIMIT, utility, utility + 1, 0),
                new SolverStats(problem.jobs().size(), 0, 0, 0, List.of(), Map.of(), List.of(), List.of()),
                problem.memory());
    }

    private static Allocation place(RoundProblem problem, Job job, Map<String, Set<String>> taken) {
        int slots = job.spec().elasticity().minSlots();
        for (Node node : problem.nodes()) {
            Set<String> used = taken.computeIfAbsent(node.id(), n -> new HashSet<>());
            List<String> free = node.devices().stream()
                    .filter(device -> !used.contains(device))
                    .limit(slots)
                    .toList();
            if (free.size() == slots && node.state().takesNewJobs()) {
                used.addAll(free);
                BatchLimits limits = job.spec().batch();
                int batch = limits.atLeast(limits.initial(), node.acceleratorType(), slots)
                        .orElse(limits.initial());
                var configuration = new Configuration(
                        node.pool(), node.acceleratorType(), List.of(slots), SyncStrategy.ALL_REDUCE, 0, batch, 0);
                return new Allocation(configuration, List.of(new NodeShare(node.id(), free)), List.of(), problem.now());
            }
        }
        return null;
    }

    private static PlannedJob planned(RoundProblem problem, Job job, Allocation given) {
        ChangeKind change = job.allocation() == null ? ChangeKind.START : ChangeKind.KEEP;
        var bare = new PlannedJob(job.id(), given, change, 0, 0, "It was next.");
        double goodput = Goodput.of(job.spec(), given.configuration());
        double utility = PlanCheck.objectiveValue(problem, List.of(bare));
        return new PlannedJob(job.id(), given, change, goodput, utility, bare.message());
    }

    private static PendingJob pending(Job job, int position) {
        double needed = job.spec().elasticity().minSlots();
        return new PendingJob(job.id(), PendingReason.CAPACITY, "slots", needed, 0.0, position, "No node has room.");
    }
}
