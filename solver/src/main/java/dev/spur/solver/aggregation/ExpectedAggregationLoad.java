package dev.spur.solver.aggregation;

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
import dev.spur.solver.aggregation.SharingLimits.Delay;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** Expected load of aggregators, and the expected stalls where several jobs share one. */
public final class ExpectedAggregationLoad {
    private final AggregationSettings settings;
    private final Map<String, Node> nodes = new HashMap<>();
    private final Map<String, Job> jobs = new HashMap<>();

    /** @param problem the settings, nodes and jobs */
    public ExpectedAggregationLoad(RoundProblem problem) {
        this.settings = problem.settings().aggregation();
        problem.nodes().forEach(node -> nodes.put(node.id(), node));
        problem.jobs().forEach(job -> jobs.put(job.id(), job));
    }

    SharingLimits limits() {
        return new SharingLimits(
                settings.utilization(), settings.maxStallFraction(), settings.meanStallFraction(), Delay.EXPECTED);
    }

    /**
     * Returns whether a job shares its slots: its demand is known and below its peak, and all its nodes accept new
     * aggregation. The last condition keeps other jobs off a node that is draining.
     */
    boolean mayShare(String id, Allocation heldAllocation) {
        Job job = jobs.get(id);
        return job != null
                && !heldAllocation.aggregation().isEmpty()
                && need(id, heldAllocation).shares()
                && heldAllocation.aggregation().stream().allMatch(share -> takesMore(share.node()));
    }

    private boolean takesMore(String id) {
        Node node = nodes.get(id);
        return node != null && node.state().takesNewJobs();
    }

    /**
     * Returns the demand of a job.
     *
     * @throws IllegalArgumentException if the demand is unknown
     */
    AggregationDemand demand(String id, Allocation heldAllocation) {
        Job job = jobs.get(id);
        Double bytes = job == null ? null : job.spec().synchronization().gradientBytes();
        if (job == null || bytes == null) {
            throw new IllegalArgumentException("the aggregation demand of job %s is unknown".formatted(id));
        }
        Configuration configuration = heldAllocation.configuration();
        return AggregationDemand.of(
                id,
                stepSeconds(job, configuration),
                bytes,
                configuration.slots(),
                settings.bytesPerSecond(),
                configuration.aggregationSlots(),
                Shards.of(configuration));
    }

    /** Returns the CPUs that the aggregators of a job which shares need. */
    AggregatorDemand need(String id, Allocation heldAllocation) {
        Job job = jobs.get(id);
        return job == null
                ? AggregatorDemand.withoutSharing(heldAllocation.configuration().aggregationThousandths())
                : AggregatorDemand.of(job.spec(), heldAllocation.configuration(), settings);
    }

    /** Returns the number of aggregation slots that a job keeps busy; empty if its demand is unknown. */
    public OptionalDouble load(String id, Allocation heldAllocation) {
        Job job = jobs.get(id);
        boolean known = job != null
                && job.spec().synchronization().gradientBytes() != null
                && !heldAllocation.aggregation().isEmpty()
                && stepSeconds(job, heldAllocation.configuration()) > 0;
        return known ? OptionalDouble.of(demand(id, heldAllocation).load()) : OptionalDouble.empty();
    }

    /** Returns the seconds of a step; 0 if the profile does not contain them. */
    private static double stepSeconds(Job job, Configuration configuration) {
        double throughput = configuration.throughput(job.spec().profile(), configuration.batchSize());
        return throughput > 0 ? configuration.batchSize() / throughput : 0;
    }

    /**
     * Returns the expected utilization of an aggregator, from 0 to 1; empty if the demand of one of its jobs is
     * unknown.
     */
    public OptionalDouble utilization(Aggregator aggregator, Map<String, Allocation> runningAllocations) {
        boolean known = aggregator.shardsByJob().stream().allMatch(jobShards -> isKnown(jobShards, runningAllocations));
        return known ? OptionalDouble.of(slot(aggregator, runningAllocations).utilization()) : OptionalDouble.empty();
    }

    /**
     * Returns, by job that shares an aggregator, the expected fraction of its step that it stalls on other jobs at its
     * worst aggregator.
     */
    public Map<String, Double> losses(AggregationLayout layout, Map<String, Allocation> runningAllocations) {
        Map<String, Double> losses = new TreeMap<>();
        for (Aggregator aggregator : layout.aggregators()) {
            if (aggregator.shardsByJob().stream().allMatch(own -> mayShare(own, runningAllocations))) {
                SharedSlot slot = slot(aggregator, runningAllocations);
                aggregator.shardsByJob().forEach(p -> losses.merge(p.jobId(), slot.loss(p.jobId()), Math::max));
            }
        }
        return losses;
    }

    private boolean mayShare(ShardAssignment jobShards, Map<String, Allocation> runningAllocations) {
        Allocation heldAllocation = runningAllocations.get(jobShards.jobId());
        return heldAllocation != null && mayShare(jobShards.jobId(), heldAllocation);
    }

    private boolean isKnown(ShardAssignment jobShards, Map<String, Allocation> runningAllocations) {
        Job job = jobs.get(jobShards.jobId());
        Allocation heldAllocation = runningAllocations.get(jobShards.jobId());
        return job != null
                && heldAllocation != null
                && job.spec().synchronization().gradientBytes() != null
                && stepSeconds(job, heldAllocation.configuration()) > 0;
    }

    private SharedSlot slot(Aggregator aggregator, Map<String, Allocation> runningAllocations) {
        SharedSlot slot = new SharedSlot(limits(), aggregator.cpus());
        for (ShardAssignment jobShards : aggregator.shardsByJob()) {
            Allocation heldAllocation = runningAllocations.get(jobShards.jobId());
            if (heldAllocation != null) {
                AggregationDemand demand = demand(jobShards.jobId(), heldAllocation);
                jobShards
                        .shards()
                        .forEach(s -> slot.add(demand, demand.shardSeconds().get(s)));
            }
        }
        return slot;
    }
}
