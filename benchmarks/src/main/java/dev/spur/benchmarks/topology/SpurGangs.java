package dev.spur.benchmarks.topology;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.cluster.AcceleratorType;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.Pool;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.HostDemand;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.ServiceHistory;
import dev.spur.model.job.Synchronization;
import dev.spur.model.job.TopologyRequest;
import dev.spur.model.job.TopologyRequest.Policy;
import dev.spur.model.job.Work;
import dev.spur.model.job.WorkUnit;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.StatisticalEfficiency;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.tenant.Tenant;
import dev.spur.model.validation.PlanCheck;
import dev.spur.solver.policy.Policies;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Spur's policy: each gang prefers the lowest level that holds it. */
final class SpurGangs implements GangPlacement {
    private static final double ROUND_SECONDS = 300;
    private static final int BATCH_PER_SLOT = 64;
    private static final double SAMPLES_PER_SLOT_SECOND = 100;

    private final RackedCluster cluster;
    private final GangRounds.Method method;
    private final Map<Gang, Integer> startedIn = new HashMap<>();
    private final Map<Gang, Double> remaining = new HashMap<>();
    private RoundMemory memory = RoundMemory.EMPTY;

    SpurGangs(RackedCluster cluster, GangRounds.Method method) {
        this.cluster = cluster;
        this.method = method;
    }

    @Override
    public Map<Gang, List<Integer>> next(int round, List<Gang> waiting, Map<Gang, List<Integer>> running) {
        Map<String, Gang> gangs = new HashMap<>();
        List<Job> jobs = new ArrayList<>();
        running.forEach((gang, nodes) -> jobs.add(job(gang, nodes)));
        waiting.forEach(gang -> jobs.add(job(gang, null)));
        running.keySet().forEach(gang -> gangs.put(gang.id(), gang));
        waiting.forEach(gang -> gangs.put(gang.id(), gang));
        RoundProblem problem = new RoundProblem(
                RoundProblem.FORMAT,
                round * ROUND_SECONDS,
                method.settings(),
                List.of(new AcceleratorType(RackedCluster.TYPE, 80)),
                List.of(new Pool(RackedCluster.POOL, false)),
                cluster.nodes(),
                List.of(),
                List.of(new Tenant("root", null, 1, Map.of())),
                List.of(),
                jobs,
                memory);
        RoundPlan plan = Policies.spur().plan(problem);
        if (!PlanCheck.violations(problem, plan).isEmpty()) {
            throw new IllegalStateException(
                    "The plan validator rejects the plan: " + PlanCheck.violations(problem, plan));
        }
        memory = plan.memory();
        Map<Gang, List<Integer>> next = new LinkedHashMap<>();
        for (PlannedJob planned : plan.running()) {
            Gang gang = gangs.get(planned.jobId());
            if (gang != null) {
                List<Integer> nodes = nodes(planned.allocation());
                if (!nodes.equals(running.get(gang))) {
                    startedIn.put(gang, round);
                }
                remaining.merge(gang, -samplesPerSecond(gang) * ROUND_SECONDS, Double::sum);
                next.put(gang, nodes);
            }
        }
        return next;
    }

    private static List<Integer> nodes(Allocation allocation) {
        return allocation.placement().stream()
                .map(share -> Integer.parseInt(share.node().substring(1)))
                .sorted()
                .toList();
    }

    private static double samplesPerSecond(Gang gang) {
        return gang.slots() * SAMPLES_PER_SLOT_SECOND;
    }

    private Job job(Gang gang, @Nullable List<Integer> nodes) {
        int batch = gang.slots() * BATCH_PER_SLOT;
        double work = samplesPerSecond(gang) * ROUND_SECONDS * gang.rounds();
        TopologyRequest topology = new TopologyRequest(gang.preferredLevel(), Policy.PREFER, method.factor());
        JobSpec spec = new JobSpec(
                new Work(WorkUnit.SAMPLES, work, null),
                Elasticity.between(gang.slots(), gang.slots()).withTopology(topology),
                new BatchLimits(batch, batch, batch, BATCH_PER_SLOT, Map.of(), false),
                Synchronization.allReduceOnly(),
                StatisticalEfficiency.UNKNOWN,
                new ThroughputProfile(
                        List.of(ProfilePoint.allReduce(
                                RackedCluster.TYPE, gang.slots(), gang.nodes(), batch, samplesPerSecond(gang))),
                        List.of()),
                HostDemand.NONE,
                60,
                0,
                method.movesGangs(),
                1,
                0,
                null,
                null);
        double arrival = gang.arrival() * ROUND_SECONDS;
        double left = Math.max(samplesPerSecond(gang), remaining.computeIfAbsent(gang, g -> work));
        return new Job(
                gang.id(),
                "root",
                arrival,
                spec,
                left,
                null,
                DeadlineStatus.NONE,
                ServiceHistory.ofArrival(arrival),
                nodes == null ? null : allocation(gang, batch, topology, nodes));
    }

    private Allocation allocation(Gang gang, int batch, TopologyRequest topology, List<Integer> nodes) {
        List<Node> own = nodes.stream().map(cluster.nodes()::get).toList();
        return new Allocation(
                new Configuration(
                                RackedCluster.POOL,
                                RackedCluster.TYPE,
                                Collections.nCopies(gang.nodes(), RackedCluster.SLOTS),
                                SyncStrategy.ALL_REDUCE,
                                0,
                                batch,
                                0)
                        .withCrossings(topology.crossings(own)),
                own.stream()
                        .map(node -> new NodeShare(node.id(), node.devices()))
                        .toList(),
                List.of(),
                startedIn.getOrDefault(gang, 0) * ROUND_SECONDS);
    }
}
