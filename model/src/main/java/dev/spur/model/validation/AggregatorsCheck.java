package dev.spur.model.validation;

import dev.spur.model.aggregation.AggregationLayout;
import dev.spur.model.aggregation.AggregationSettings;
import dev.spur.model.aggregation.Aggregator;
import dev.spur.model.aggregation.ShardAssignment;
import dev.spur.model.aggregation.Shards;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.Job;
import dev.spur.model.round.RoundProblem;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Validates a layout of aggregators before it is published. The rules use only the problem and the allocations. */
public final class AggregatorsCheck {
    private static final double TOLERANCE = 1e-6;

    private final ProblemIndex index;
    private final AggregationSettings settings;
    private final Map<String, Allocation> runningAllocations;
    private final AggregationLayout layout;
    private final List<Violation> violations = new ArrayList<>();

    private AggregatorsCheck(
            RoundProblem problem, Map<String, Allocation> runningAllocations, AggregationLayout layout) {
        this.index = new ProblemIndex(problem);
        this.settings = problem.settings().aggregation();
        this.runningAllocations = runningAllocations;
        this.layout = layout;
    }

    /**
     * Returns all violations of {@code layout} for jobs with the allocations {@code runningAllocations}; empty if it
     * may be published.
     */
    public static List<Violation> violations(
            RoundProblem problem, Map<String, Allocation> runningAllocations, AggregationLayout layout) {
        AggregatorsCheck check = new AggregatorsCheck(problem, runningAllocations, layout);
        check.everyShardIsAssignedOnce();
        check.aggregatorsUseAllocatedSlots();
        check.aggregatorsAreInThePool();
        if (check.violations.isEmpty()) {
            check.sharedAggregatorsStayWithinLimits();
        }
        return List.copyOf(check.violations);
    }

    private void everyShardIsAssignedOnce() {
        Map<String, Map<Integer, Integer>> times = new TreeMap<>();
        for (Aggregator aggregator : layout.aggregators()) {
            for (ShardAssignment jobShards : aggregator.shardsByJob()) {
                Map<Integer, Integer> own = times.computeIfAbsent(jobShards.jobId(), id -> new TreeMap<>());
                jobShards.shards().forEach(shard -> own.merge(shard, 1, Integer::sum));
            }
        }
        runningAllocations.forEach((id, heldAllocation) -> {
            int shards = Shards.of(heldAllocation.configuration());
            Map<Integer, Integer> own = times.getOrDefault(id, Map.of());
            for (int s = 0; s < shards; s++) {
                if (own.getOrDefault(s, 0) != 1) {
                    add(
                            "everyShardIsAssignedOnce",
                            id,
                            "shard %s of job %s is assigned %s times".formatted(s, id, own.getOrDefault(s, 0)));
                }
            }
            if (own.size() > shards) {
                add(
                        "everyShardIsAssignedOnce",
                        id,
                        "job %s has %s shards, but the assigned shards are %s".formatted(id, shards, own.keySet()));
            }
        });
        times.keySet().stream()
                .filter(id -> !runningAllocations.containsKey(id))
                .forEach(id -> add(
                        "everyShardIsAssignedOnce",
                        id,
                        "job %s has shards on aggregators but does not run".formatted(id)));
    }

    /**
     * Requires that the aggregators of a node have no more CPUs than those of the jobs need there. The plan validator
     * compares this need with the capacity of the node.
     */
    private void aggregatorsUseAllocatedSlots() {
        Map<String, NodeAggregators> needs = new HashMap<>();
        runningAllocations.forEach((id, heldAllocation) -> {
            SharedAggregation aggregation = SharedAggregation.of(index, index.job(id), heldAllocation);
            heldAllocation
                    .aggregation()
                    .forEach(share -> needs.computeIfAbsent(share.node(), node -> new NodeAggregators())
                            .add(share.slots(), aggregation));
        });
        Map<String, Long> left = new HashMap<>();
        needs.forEach((node, need) -> left.put(node, (long) Math.ceil(1000 * need.cpus() - TOLERANCE)));
        Map<String, Long> used = new TreeMap<>();
        layout.aggregators().forEach(a -> used.merge(a.node(), a.thousandths(), Long::sum));
        used.forEach((node, thousandths) -> {
            if (thousandths > left.getOrDefault(node, 0L)) {
                add(
                        "aggregatorsUseAllocatedSlots",
                        node,
                        "the aggregators of node %s use %s thousandths of a slot, but the jobs hold only %s there"
                                .formatted(node, thousandths, left.getOrDefault(node, 0L)));
            }
        });
    }

    private void aggregatorsAreInThePool() {
        for (Aggregator aggregator : layout.aggregators()) {
            Node node = index.node(aggregator.node());
            for (ShardAssignment jobShards : aggregator.shardsByJob()) {
                Allocation heldAllocation = runningAllocations.get(jobShards.jobId());
                if (heldAllocation != null
                        && (node == null
                                || !node.pool()
                                        .equals(heldAllocation.configuration().pool()))) {
                    add(
                            "aggregatorsAreInThePool",
                            jobShards.jobId(),
                            "node %s is not in pool %s"
                                    .formatted(
                                            aggregator.node(),
                                            heldAllocation.configuration().pool()));
                }
            }
        }
    }

    private void sharedAggregatorsStayWithinLimits() {
        Map<String, Map<String, Double>> losses = new TreeMap<>();
        for (Aggregator aggregator : layout.aggregators()) {
            Node node = index.node(aggregator.node());
            boolean isOverloaded = node != null && layout.overloadedPools().contains(node.pool());
            if (!isOverloaded && (aggregator.shardsByJob().size() > 1 || isOfOneThatShares(aggregator))) {
                if (settings.shared()) {
                    checkShared(
                            aggregator,
                            losses.computeIfAbsent(node == null ? "" : node.pool(), pool -> new TreeMap<>()));
                } else {
                    add(
                            "sharedAggregatorsStayWithinLimits",
                            aggregator.node(),
                            "jobs share an aggregator, but sharing is disabled");
                }
            }
        }
        losses.forEach((pool, byJob) -> {
            double mean = byJob.values().stream()
                    .mapToDouble(Double::doubleValue)
                    .filter(loss -> loss > 0)
                    .average()
                    .orElse(0);
            if (!(mean <= settings.meanStallFraction() + TOLERANCE)) {
                add(
                        "sharedAggregatorsStayWithinLimits",
                        pool,
                        "jobs of pool %s wait for a mean fraction of %s of their steps".formatted(pool, mean));
            }
        });
    }

    private boolean isOfOneThatShares(Aggregator aggregator) {
        String id = aggregator.shardsByJob().get(0).jobId();
        Allocation heldAllocation = runningAllocations.get(id);
        return heldAllocation != null
                && SharedAggregation.of(index, index.job(id), heldAllocation).shares();
    }

    /** @param losses fraction of the step that each job of the pool waits at its worst aggregator so far */
    private void checkShared(Aggregator aggregator, Map<String, Double> losses) {
        Map<String, Burst> bursts = new TreeMap<>();
        for (ShardAssignment jobShards : aggregator.shardsByJob()) {
            Burst burst = burst(jobShards, aggregator.cpus());
            if (burst == null) {
                add(
                        "sharedAggregatorsStayWithinLimits",
                        jobShards.jobId(),
                        "job %s may not share aggregators, because its gradientBytes are unknown"
                                .formatted(jobShards.jobId()));
                return;
            }
            bursts.put(jobShards.jobId(), burst);
        }
        double utilization = bursts.values().stream().mapToDouble(Burst::load).sum();
        if (!(utilization <= settings.utilization() + TOLERANCE)) {
            add(
                    "sharedAggregatorsStayWithinLimits",
                    aggregator.node(),
                    "aggregator %s is busy for a fraction of %s of its time"
                            .formatted(aggregator.number(), utilization));
        }
        double all = bursts.values().stream().mapToDouble(Burst::delay).sum();
        bursts.forEach((id, own) -> {
            double loss = (all - own.delay() + own.excess()) / own.step();
            losses.merge(id, loss, Math::max);
            if (!(loss <= settings.maxStallFraction() + TOLERANCE)) {
                add(
                        "sharedAggregatorsStayWithinLimits",
                        id,
                        "job %s waits for a fraction of %s of its step".formatted(id, loss));
            }
        });
    }

    /**
     * The load of a job on an aggregator.
     *
     * @param seconds seconds in each of its steps of {@code step} seconds
     * @param alone seconds in each of its steps on each aggregator of its own
     */
    private record Burst(double seconds, double step, double alone) {
        double excess() {
            return Math.max(0, seconds - alone);
        }

        double load() {
            return seconds / step;
        }

        /**
         * Returns the expected delay that it causes for other jobs: the probability that it is busy, times half of its
         * burst.
         */
        double delay() {
            return load() * seconds / 2;
        }
    }

    private @Nullable Burst burst(ShardAssignment jobShards, double cpus) {
        Job job = index.job(jobShards.jobId());
        Double bytes = job.spec().synchronization().gradientBytes();
        Allocation heldAllocation = runningAllocations.get(jobShards.jobId());
        if (bytes == null || heldAllocation == null) {
            return null;
        }
        Configuration configuration = heldAllocation.configuration();
        double part = (double) jobShards.shards().size() / Shards.of(configuration);
        double all = bytes * configuration.slots() / settings.bytesPerSecond();
        return new Burst(
                all * part / cpus,
                configuration.batchSize() / configuration.throughput(job.spec().profile(), configuration.batchSize()),
                all / configuration.aggregationSlots());
    }

    private void add(String rule, String subject, String message) {
        violations.add(new Violation(rule, subject, message));
    }
}
