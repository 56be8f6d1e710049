package dev.spur.benchmarks;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.cluster.AcceleratorType;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.cluster.Pool;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.HostDemand;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.ServiceHistory;
import dev.spur.model.job.Synchronization;
import dev.spur.model.job.Work;
import dev.spur.model.job.WorkUnit;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.StatisticalEfficiency;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.RoundSettings;
import dev.spur.model.tenant.Tenant;
import dev.spur.model.validation.PlanCheck;
import dev.spur.simulator.report.ResultTable;
import dev.spur.solver.policy.Policies;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Benchmark of a published case for KAI: 4,000 jobs of one slot fill 500 nodes of 8, and a gang of 2,000 slots of a
 * higher priority class arrives.
 */
final class PriorityBenchmark implements Benchmark {
    private static final int RUNS = 3;
    private static final int PER_NODE = 8;
    private static final double NOW = 1_000;

    @Override
    public String name() {
        return "priority";
    }

    @Override
    public String summary() {
        return "a gang of half the cluster against lower jobs on all slots, up to 500 nodes of 8";
    }

    @Override
    public ResultTable measure() {
        List<List<String>> rows = IntStream.of(50, 500)
                .mapToObj(nodes -> row(nodes, problem(nodes)))
                .toList();
        return new ResultTable(
                List.of("nodes", "low_jobs", "gang_slots", "gang_planned", "stopped", "status", "seconds"), rows);
    }

    private static List<String> row(int nodes, RoundProblem problem) {
        RoundPlan plan = Policies.spur().plan(problem);
        List<Double> seconds = new ArrayList<>();
        for (int run = 0; run < RUNS; run++) {
            long start = System.nanoTime();
            plan = Policies.spur().plan(problem);
            seconds.add((System.nanoTime() - start) / 1e9);
        }
        if (!PlanCheck.violations(problem, plan).isEmpty()) {
            throw new IllegalStateException(
                    "The plan validator rejects the plan: " + PlanCheck.violations(problem, plan));
        }
        seconds.sort(Comparator.naturalOrder());
        boolean isPlanned =
                plan.running().stream().anyMatch(planned -> planned.jobId().equals("gang"));
        return List.of(
                Integer.toString(nodes),
                Integer.toString(nodes * PER_NODE),
                Integer.toString(nodes * PER_NODE / 2),
                Boolean.toString(isPlanned),
                Long.toString(plan.waiting().stream()
                        .filter(waiting -> !waiting.jobId().equals("gang"))
                        .count()),
                plan.quality().status().toString(),
                String.format(Locale.ROOT, "%.2f", seconds.get(RUNS / 2)));
    }

    private static RoundProblem problem(int nodes) {
        List<Node> cluster = new ArrayList<>();
        List<Job> jobs = new ArrayList<>();
        for (int v = 0; v < nodes; v++) {
            String id = "node-" + v;
            List<String> devices =
                    IntStream.range(0, PER_NODE).mapToObj(d -> id + "-" + d).toList();
            cluster.add(new Node(id, "main", null, "A100", devices, 64, 512, 0, 0, NodeState.ACTIVE));
            for (String device : devices) {
                jobs.add(job("low-" + device, 1, 1, 0, new NodeShare(id, List.of(device))));
            }
        }
        jobs.add(job("gang", nodes * PER_NODE / 2, nodes / 2, 10, null));
        return new RoundProblem(
                RoundProblem.FORMAT,
                NOW,
                RoundSettings.DEFAULT,
                List.of(new AcceleratorType("A100", 80)),
                List.of(new Pool("main", false)),
                cluster,
                List.of(),
                List.of(new Tenant("root", null, 1, Map.of())),
                List.of(),
                jobs,
                RoundMemory.EMPTY);
    }

    private static Job job(String id, int slots, int nodes, int priority, @Nullable NodeShare held) {
        int batch = 64 * slots;
        JobSpec spec = new JobSpec(
                new Work(WorkUnit.SAMPLES, 1e7 * slots, null),
                Elasticity.between(slots, slots),
                new BatchLimits(batch, batch, batch, 64, Map.of(), false),
                Synchronization.allReduceOnly(),
                StatisticalEfficiency.UNKNOWN,
                new ThroughputProfile(
                        List.of(ProfilePoint.allReduce("A100", slots, nodes, batch, 100.0 * slots)), List.of()),
                HostDemand.NONE,
                60,
                0,
                true,
                1,
                priority,
                null,
                null);
        Allocation allocation = held == null
                ? null
                : new Allocation(
                        new Configuration("main", "A100", List.of(1), SyncStrategy.ALL_REDUCE, 0, batch, 0),
                        List.of(held),
                        List.of(),
                        0);
        return new Job(
                id,
                "root",
                0,
                spec,
                1e7 * slots,
                null,
                DeadlineStatus.NONE,
                ServiceHistory.ofArrival(held == null ? NOW : 0),
                allocation);
    }
}
