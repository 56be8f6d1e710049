package dev.spur.policies.support;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.Shapes;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.Job;
import dev.spur.model.round.JobPins;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.utility.Goodput;
import dev.spur.solver.candidate.ClusterIndex;
import dev.spur.solver.candidate.NodeClass;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * View of a round for published policies: jobs by number, partitions of equal nodes, and goodput by number of slots.
 */
public final class RoundView {
    private final RoundProblem problem;
    private final NodePartitions nodePartitions;
    private final ClusterIndex clusterIndex;
    private final List<NodePartition> partitions;
    private final GoodputCache cache;
    private final JobPins pins;

    private RoundView(RoundProblem problem, BatchRule batches) {
        this.problem = problem;
        this.nodePartitions = NodePartitions.of(problem);
        this.clusterIndex = nodePartitions.clusterIndex();
        this.partitions = nodePartitions.all();
        this.cache = new GoodputCache(batches, clusterIndex);
        this.pins = JobPins.of(problem);
    }

    /** Creates the view in which {@code batches} chooses batch sizes. */
    public static RoundView of(RoundProblem problem, BatchRule batches) {
        return new RoundView(problem, batches);
    }

    public RoundProblem problem() {
        return problem;
    }

    public double now() {
        return problem.now();
    }

    public ClusterIndex clusterIndex() {
        return clusterIndex;
    }

    /** Returns the number of active jobs, which are numbered from 0 in the order of the problem. */
    public int jobs() {
        return problem.jobs().size();
    }

    public Job job(int j) {
        return problem.jobs().get(j);
    }

    /** Returns the partitions in the order of their first nodes. */
    public List<NodePartition> partitions() {
        return partitions;
    }

    /** Returns the maximum number of running jobs that this round may stop, move or resize. */
    public int maxRestarts() {
        Integer limit = problem.settings().maxRestarts();
        return limit == null ? Integer.MAX_VALUE : limit;
    }

    /** Returns the slots of all partitions. */
    public int slots() {
        return partitions.stream().mapToInt(NodePartition::slots).sum();
    }

    /**
     * Returns true if job {@code j} must keep its allocation: it restarts, is inside its minimum run time, or is not
     * preemptible.
     */
    public boolean isPinned(int j) {
        return pins.isPinned(job(j));
    }

    /** Returns the slots that job {@code j} holds; 0 if it waits. */
    public int heldSlots(int j) {
        Allocation heldAllocation = job(j).allocation();
        return heldAllocation == null ? 0 : heldAllocation.configuration().slots();
    }

    /** Returns the partition in which job {@code j} runs; null if it waits. */
    public @Nullable NodePartition heldPartition(int j) {
        Allocation heldAllocation = job(j).allocation();
        if (heldAllocation == null) {
            return null;
        }
        return nodePartitions.of(
                heldAllocation.configuration().pool(),
                heldAllocation.configuration().acceleratorType());
    }

    /** Returns true if job {@code j} may stay in its partition but not receive new slots there. */
    boolean mayOnlyStay(int j) {
        NodePartition partition = heldPartition(j);
        return partition != null && partition.slots() == 0 && mayStay(j);
    }

    /** Returns the partitions in which job {@code j} may receive slots, in order; may be empty. */
    public List<NodePartition> partitionsOf(int j) {
        Job job = job(j);
        if (partitions.size() == 1) {
            return isOpenTo(job, partitions.get(0)) ? partitions : List.of();
        }
        List<NodePartition> open = new ArrayList<>();
        for (NodePartition partition : partitions) {
            if (isOpenTo(job, partition)) {
                open.add(partition);
            }
        }
        return open;
    }

    private boolean isOpenTo(Job job, NodePartition partition) {
        Elasticity elasticity = job.spec().elasticity();
        if (!elasticity.allowsType(partition.type())
                || !elasticity.allowsPool(partition.pool())
                || !job.spec().profile().acceleratorTypes().contains(partition.type())) {
            return false;
        }
        for (NodeClass nodeClass : partition.classes()) {
            if (clusterIndex.isOpen(nodeClass, job)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the slots that a rigid job requests: the minimum that it allows; 0 if its limits exclude all counts. */
    public int requestedSlots(int j) {
        Elasticity elasticity = job(j).spec().elasticity();
        return elasticity.minSlots() == elasticity.maxSlots()
                        && elasticity.allowedCounts().isEmpty()
                ? elasticity.minSlots()
                : elasticity.minCount().orElse(0);
    }

    /** Returns the slot counts that job {@code j} allows on {@code partition} and on which it runs, ascending. */
    public int[] counts(int j, NodePartition partition) {
        return cache.counts(job(j).spec(), partition).clone();
    }

    /** Returns the smallest of {@link #counts} above {@code slots}; 0 if there is none. */
    public int next(int j, NodePartition partition, int slots) {
        int[] counts = cache.counts(job(j).spec(), partition);
        int at = Arrays.binarySearch(counts, slots);
        int above = at >= 0 ? at + 1 : -at - 1;
        return above < counts.length ? counts[above] : 0;
    }

    /** Returns the maximum of {@link #counts}; 0 if there is none. */
    public int maxSlots(int j, NodePartition partition) {
        int[] counts = cache.counts(job(j).spec(), partition);
        return counts.length == 0 ? 0 : counts[counts.length - 1];
    }

    /**
     * Returns the goodput in samples per second on {@code slots} of {@code partition}, on as few nodes as possible; 0
     * for 0 slots and where the job does not run.
     */
    public double goodput(int j, NodePartition partition, int slots) {
        return slots == 0 ? 0 : cache.goodput(job(j).spec(), partition, slots);
    }

    /**
     * Returns the goodput in samples per second on {@code slots} of {@code partition}, spread evenly over
     * {@code nodes}, at most one node per slot; 0 where the job does not run.
     */
    public double spreadGoodput(int j, NodePartition partition, int slots, int nodes) {
        Configuration spread = cache.configuration(job(j).spec(), partition, Shapes.even(slots, nodes), 0);
        return spread == null ? 0 : Goodput.of(job(j).spec(), spread);
    }

    /**
     * Returns the goodput in samples per second on {@code slots} of {@code partition}, on as few nodes as possible,
     * with {@code aggregation} aggregation slots. 0 aggregation slots means no parameter servers. The result is 0 where
     * the job does not run.
     */
    public double servedGoodput(int j, NodePartition partition, int slots, double aggregation) {
        if (aggregation == 0 || slots == 0) {
            return goodput(j, partition, slots);
        }
        Configuration served = cache.configuration(job(j).spec(), partition, tightShape(partition, slots), aggregation);
        return served == null ? 0 : Goodput.of(job(j).spec(), served);
    }

    /** Returns the goodput of job {@code j} in its current allocation, in samples per second; 0 if it waits. */
    public double heldGoodput(int j) {
        Allocation heldAllocation = job(j).allocation();
        return heldAllocation == null ? 0 : Goodput.of(job(j).spec(), heldAllocation.configuration());
    }

    /**
     * Returns the remaining run time of job {@code j} on {@code slots} of {@code partition}, in seconds, at most that
     * until its time limit; infinite where it does not run.
     */
    public double remainingSeconds(int j, NodePartition partition, int slots) {
        double goodput = goodput(j, partition, slots);
        return goodput == 0
                ? Double.POSITIVE_INFINITY
                : Math.min(job(j).remainingSamples() / goodput, job(j).secondsToLimit(now()));
    }

    /** Returns the shape with the minimum number of nodes of {@code partition}. */
    public static List<Integer> tightShape(NodePartition partition, int slots) {
        return Shapes.consolidate(slots, partition.nodeSlots());
    }

    /** Returns the configuration of job {@code j} in this shape; null if it does not run in it. */
    @Nullable
    Configuration configuration(int j, NodePartition partition, List<Integer> shape, double aggregation) {
        return cache.configuration(job(j).spec(), partition, shape, aggregation);
    }

    /** Returns true if job {@code j} may keep its allocation: its request allows it, and its nodes let it stay. */
    public boolean mayStay(int j) {
        Allocation heldAllocation = job(j).allocation();
        return heldAllocation != null && clusterIndex.mayStay(job(j), heldAllocation);
    }

    /** Returns the slots of job {@code j} on cordoned nodes. */
    int heldOnCordoned(int j) {
        Allocation heldAllocation = job(j).allocation();
        if (heldAllocation == null) {
            return 0;
        }
        return heldAllocation.placement().stream()
                .filter(share -> clusterIndex.classOf(clusterIndex.indexOf(share.node())) < 0)
                .filter(share -> clusterIndex
                                .nodes()
                                .get(clusterIndex.indexOf(share.node()))
                                .state()
                        == NodeState.CORDONED)
                .mapToInt(share -> share.slots())
                .sum();
    }

    /** Returns the slots of job {@code j} on nodes that accept new jobs. */
    int heldOnOpen(int j) {
        Allocation heldAllocation = job(j).allocation();
        if (heldAllocation == null) {
            return 0;
        }
        return heldAllocation.placement().stream()
                .filter(share -> clusterIndex.classOf(clusterIndex.indexOf(share.node())) >= 0)
                .mapToInt(share -> share.slots())
                .sum();
    }

    /** Returns true if a node accepts no new job but lets running jobs stay. */
    boolean hasCordonedNodes() {
        return nodePartitions.hasCordonedNodes();
    }
}
