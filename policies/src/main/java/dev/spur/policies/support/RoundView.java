package dev.spur.policies.support;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.Shapes;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.Job;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.utility.Goodput;
import dev.spur.solver.candidate.ClusterIndex;
import dev.spur.solver.candidate.NodeClass;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A round as published policies see it: jobs by number, lanes of like nodes, and how fast a job runs on how many slots.
 */
public final class RoundView {
    private final RoundProblem problem;
    private final NodePartitions cluster;
    private final ClusterIndex hardware;
    private final List<NodePartition> lanes;
    private final GoodputCache speeds;
    private final boolean[] pinned;

    private RoundView(RoundProblem problem, BatchRule batches) {
        this.problem = problem;
        this.cluster = NodePartitions.of(problem);
        this.hardware = cluster.hardware();
        this.lanes = cluster.all();
        this.speeds = new GoodputCache(batches, hardware);
        pinned = new boolean[problem.jobs().size()];
        for (int j = 0; j < pinned.length; j++) {
            Job job = job(j);
            pinned[j] = job.allocation() != null && (!job.spec().preemptible() || job.isProtectedAt(problem.now()));
        }
    }

    /** The round in which jobs run at the batch sizes that {@code batches} chooses. */
    public static RoundView of(RoundProblem problem, BatchRule batches) {
        return new RoundView(problem, batches);
    }

    public RoundProblem problem() {
        return problem;
    }

    public double now() {
        return problem.now();
    }

    public ClusterIndex hardware() {
        return hardware;
    }

    /** Number of active jobs; they are counted from 0 in the order of the problem. */
    public int jobs() {
        return pinned.length;
    }

    public Job job(int j) {
        return problem.jobs().get(j);
    }

    /** The lanes, in the order of their first nodes. */
    public List<NodePartition> lanes() {
        return lanes;
    }

    /** Most running jobs that this round may stop, move or resize. */
    public int mostRestarts() {
        Integer most = problem.settings().maxRestarts();
        return most == null ? Integer.MAX_VALUE : most;
    }

    /** Slots of all lanes. */
    public int slots() {
        return lanes.stream().mapToInt(NodePartition::slots).sum();
    }

    /** True if job {@code j} must keep what it holds: in a restart, inside its minimum run time, or not preemptible. */
    public boolean isPinned(int j) {
        return pinned[j];
    }

    /** Slots that job {@code j} holds, 0 if it waits. */
    public int held(int j) {
        Allocation held = job(j).allocation();
        return held == null ? 0 : held.configuration().slots();
    }

    /** The lane in which job {@code j} runs; null if it waits. */
    public @Nullable NodePartition heldLane(int j) {
        Allocation held = job(j).allocation();
        if (held == null) {
            return null;
        }
        return cluster.of(held.configuration().pool(), held.configuration().acceleratorType());
    }

    /** True if job {@code j} runs in a lane in which it may get nothing new, but may stay. */
    boolean mayOnlyStay(int j) {
        NodePartition held = heldLane(j);
        return held != null && held.slots() == 0 && mayStay(j);
    }

    /** The lanes in which job {@code j} may get slots, in their order; perhaps none. */
    public List<NodePartition> lanesOf(int j) {
        Job job = job(j);
        if (lanes.size() == 1) {
            return isOpenTo(job, lanes.get(0)) ? lanes : List.of();
        }
        List<NodePartition> open = new ArrayList<>();
        for (NodePartition lane : lanes) {
            if (isOpenTo(job, lane)) {
                open.add(lane);
            }
        }
        return open;
    }

    private boolean isOpenTo(Job job, NodePartition lane) {
        Elasticity elasticity = job.spec().elasticity();
        if (!elasticity.allowsType(lane.type())
                || !elasticity.allowsPool(lane.pool())
                || !job.spec().profile().acceleratorTypes().contains(lane.type())) {
            return false;
        }
        for (NodeClass nodeClass : lane.classes()) {
            if (hardware.isOpen(nodeClass, job)) {
                return true;
            }
        }
        return false;
    }

    /** Slots that a job with fixed slots asks for: the fewest it allows; 0 if its limits exclude all. */
    public int requested(int j) {
        Elasticity elasticity = job(j).spec().elasticity();
        return elasticity.minSlots() == elasticity.maxSlots()
                        && elasticity.allowedCounts().isEmpty()
                ? elasticity.minSlots()
                : elasticity.minCount().orElse(0);
    }

    /** Slot counts that job {@code j} allows on {@code lane} and on which it runs, ascending. */
    public int[] counts(int j, NodePartition lane) {
        return speeds.counts(job(j).spec(), lane).clone();
    }

    /** The smallest of {@link #counts} above {@code slots}; 0 if there is none. */
    public int next(int j, NodePartition lane, int slots) {
        int[] counts = speeds.counts(job(j).spec(), lane);
        int at = Arrays.binarySearch(counts, slots);
        int above = at >= 0 ? at + 1 : -at - 1;
        return above < counts.length ? counts[above] : 0;
    }

    /** The most of {@link #counts}; 0 if there are none. */
    public int most(int j, NodePartition lane) {
        int[] counts = speeds.counts(job(j).spec(), lane);
        return counts.length == 0 ? 0 : counts[counts.length - 1];
    }

    /**
     * Useful samples per second on {@code slots} of {@code lane} on the fewest nodes; 0 for 0 slots and where it does
     * not run.
     */
    public double goodput(int j, NodePartition lane, int slots) {
        return slots == 0 ? 0 : speeds.goodput(job(j).spec(), lane, slots);
    }

    /**
     * Useful samples per second on {@code slots} of {@code lane}, spread evenly over {@code nodes}, which are at most
     * as many; 0 where it does not run.
     */
    public double spreadGoodput(int j, NodePartition lane, int slots, int nodes) {
        Configuration spread = speeds.configuration(job(j).spec(), lane, Shapes.even(slots, nodes), 0);
        return spread == null ? 0 : Goodput.of(job(j).spec(), spread);
    }

    /**
     * Useful samples per second on {@code slots} of {@code lane}, on the fewest nodes, with so many aggregation slots,
     * or without parameter servers if these are 0; 0 where it does not run.
     */
    public double servedGoodput(int j, NodePartition lane, int slots, double aggregation) {
        if (aggregation == 0 || slots == 0) {
            return goodput(j, lane, slots);
        }
        Configuration served = speeds.configuration(job(j).spec(), lane, tightShape(lane, slots), aggregation);
        return served == null ? 0 : Goodput.of(job(j).spec(), served);
    }

    /** Useful samples per second of job {@code j} where it runs now; 0 if it waits. */
    public double heldGoodput(int j) {
        Allocation held = job(j).allocation();
        return held == null ? 0 : Goodput.of(job(j).spec(), held.configuration());
    }

    /** Seconds to the end of job {@code j} on {@code slots} of {@code lane}; infinite where it does not run. */
    public double remainingSeconds(int j, NodePartition lane, int slots) {
        double goodput = goodput(j, lane, slots);
        return goodput == 0 ? Double.POSITIVE_INFINITY : job(j).remainingSamples() / goodput;
    }

    /** The shape on the fewest nodes of {@code lane}. */
    public static List<Integer> tightShape(NodePartition lane, int slots) {
        return Shapes.consolidated(slots, lane.nodeSlots());
    }

    /** The configuration of job {@code j} with these pieces; null if it does not run so. */
    @Nullable
    Configuration configuration(int j, NodePartition lane, List<Integer> shape, double aggregation) {
        return speeds.configuration(job(j).spec(), lane, shape, aggregation);
    }

    /** True if job {@code j} could keep what it holds: allowed by its request, on nodes that let it stay. */
    public boolean mayStay(int j) {
        return job(j).allocation() != null && hardware.mayStay(job(j));
    }

    /** Slots of job {@code j} on nodes that let it stay but take no new job. */
    int heldOnCordoned(int j) {
        Allocation held = job(j).allocation();
        if (held == null) {
            return 0;
        }
        return held.placement().stream()
                .filter(piece -> hardware.classOf(hardware.indexOf(piece.node())) < 0)
                .filter(piece ->
                        hardware.nodes().get(hardware.indexOf(piece.node())).state() == NodeState.CORDONED)
                .mapToInt(piece -> piece.slots())
                .sum();
    }

    /** Slots of job {@code j} on nodes that take new jobs. */
    int heldOnOpen(int j) {
        Allocation held = job(j).allocation();
        if (held == null) {
            return 0;
        }
        return held.placement().stream()
                .filter(piece -> hardware.classOf(hardware.indexOf(piece.node())) >= 0)
                .mapToInt(piece -> piece.slots())
                .sum();
    }

    /** True if some node takes no new job but lets jobs stay. */
    boolean hasCordonedNodes() {
        return cluster.hasCordonedNodes();
    }
}
