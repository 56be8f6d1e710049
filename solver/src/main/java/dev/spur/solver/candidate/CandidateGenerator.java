package dev.spur.solver.candidate;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.allocation.Shapes;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.HostDemand;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.ProfilingTarget;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.utility.Goodput;
import dev.spur.model.utility.Utility;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Generator of the candidate configurations of each job: all feasible ones that no other one dominates.
 *
 * <p>Per class of nodes and allowed number of slots: the shape on the minimum number of nodes, and even spreads over
 * each measured number of nodes for that number of slots. Per shape and number of aggregation slots only the best batch
 * size: given the aggregation slots, the batch size changes only the utility.
 */
public final class CandidateGenerator {
    /** Maximum number of whole aggregation slots that are all offered; beyond it only the measured ones. */
    private static final int MOST_AGGREGATION_STEPS = 32;

    /** Synchronization strategy with the numbers of aggregation slots to offer. */
    private record Way(SyncStrategy strategy, List<Double> aggregationSteps) {}

    private final RoundProblem problem;
    private final ClusterIndex hardware;
    private final Utility worth;
    /** Shapes on the minimum number of nodes, by slots and slots per node; shared by the jobs. */
    private final Map<Long, List<Integer>> tightShapes = new ConcurrentHashMap<>();

    private CandidateGenerator(RoundProblem problem, Set<String> held) {
        this.problem = problem;
        this.hardware = new ClusterIndex(problem, held);
        this.worth = new Utility(problem);
    }

    /** Returns the candidates of all jobs of {@code problem}. */
    public static CandidateSet generate(RoundProblem problem) {
        return generate(problem, Set.of());
    }

    /** Returns the candidates when the nodes with the ids {@code held} accept no jobs in this round. */
    public static CandidateSet generate(RoundProblem problem, Set<String> held) {
        CandidateGenerator generator = new CandidateGenerator(problem, held);
        JobCandidates[] byJob = new JobCandidates[problem.jobs().size()];
        ParallelLoop.range(byJob.length).forEach(j -> byJob[j] = generator.candidatesOf(j));
        return new CandidateSet(problem, generator.hardware, List.of(byJob));
    }

    private JobCandidates candidatesOf(int j) {
        Job job = problem.jobs().get(j);
        boolean pinned = job.isPinned(problem.now());
        Candidate kept = job.allocation() == null ? null : keep(j, job, job.allocation(), pinned);
        if (pinned) {
            return new JobCandidates(j, List.of(), kept, true, NoCandidateReason.NONE);
        }
        DominanceFilter offers = new DominanceFilter(job);
        for (NodeClass nodeClass : hardware.classes()) {
            offerOn(nodeClass, j, job, offers);
        }
        return new JobCandidates(j, offers.undominated(), kept, false, offers.unfit());
    }

    private @Nullable Candidate keep(int j, Job job, Allocation held, boolean pinned) {
        if (!pinned && !hardware.mayStay(job)) {
            return null;
        }
        Configuration configuration = held.configuration();
        double goodput = Goodput.of(job.spec(), configuration);
        double price = held.placement().stream()
                .mapToDouble(piece -> piece.slots() * nodeOf(piece).pricePerSlotHour())
                .sum();
        double value = worth.of(job, configuration, goodput, true, price / configuration.slots());
        int nodeClass =
                hardware.classOf(hardware.indexOf(held.placement().get(0).node()));
        return new Candidate(j, configuration, nodeClass, goodput, value, true);
    }

    private Node nodeOf(NodeShare piece) {
        return hardware.nodes().get(hardware.indexOf(piece.node()));
    }

    private void offerOn(NodeClass nodeClass, int j, Job job, DominanceFilter offers) {
        Elasticity elasticity = job.spec().elasticity();
        String type = nodeClass.acceleratorType();
        if (!elasticity.allowsType(type)
                || !elasticity.allowsPool(nodeClass.pool())
                || !hardware.isOpen(nodeClass, job)
                || !job.spec().profile().acceleratorTypes().contains(type)) {
            return;
        }
        offers.sawClass();
        int capacity = (int) Math.min(
                Integer.MAX_VALUE,
                (long) nodeClass.slotsPerNode() * nodeClass.nodes().size());
        List<Way> ways = new ArrayList<>(2);
        if (job.spec().synchronization().allReduce()) {
            ways.add(new Way(SyncStrategy.ALL_REDUCE, List.of(0.0)));
        }
        if (job.spec().synchronization().parameterServer()) {
            ways.add(new Way(SyncStrategy.PARAMETER_SERVER, aggregationSteps(job.spec(), nodeClass)));
        }
        for (int slots : elasticity.counts(capacity)) {
            ways.stream()
                    .filter(way -> hardware.canSum(type, way.strategy(), slots))
                    .forEach(way -> offerShapes(nodeClass, j, job, slots, way, offers));
        }
    }

    private void offerShapes(NodeClass nodeClass, int j, Job job, int slots, Way way, DominanceFilter offers) {
        boolean wholeNodes = hardware.needsWholeNodes(nodeClass.pool());
        List<Integer> tight = tightShapes.computeIfAbsent(
                slots * 100_000L + nodeClass.slotsPerNode(),
                key -> Shapes.consolidated(slots, nodeClass.slotsPerNode()));
        boolean offersTight = tight.size() == 1 || !wholeNodes || slots % nodeClass.slotsPerNode() == 0;
        if (offersTight) {
            offerShape(nodeClass, j, job, tight, way, offers);
        }
        if (job.spec().elasticity().consolidate() || wholeNodes) {
            return;
        }
        for (int nodes : job.spec().profile().nodeCounts(nodeClass.acceleratorType(), way.strategy(), slots)) {
            if (nodes > tight.size() && nodes <= slots) {
                offerShape(nodeClass, j, job, Shapes.even(slots, nodes), way, offers);
            }
        }
    }

    private void offerShape(NodeClass nodeClass, int j, Job job, List<Integer> shape, Way way, DominanceFilter offers) {
        if (shape.size() > nodeClass.nodes().size()
                || !job.spec().elasticity().allowsNodes(shape.size())
                || !hostHolds(nodeClass, job.spec().host(), shape.get(0))) {
            return;
        }
        if (!way.aggregationSteps().isEmpty()) {
            offers.sawShape();
        }
        for (double aggregation : way.aggregationSteps()) {
            offer(nodeClass, j, job, shape, way.strategy(), aggregation, offers);
        }
    }

    private static boolean hostHolds(NodeClass nodeClass, HostDemand demand, int piece) {
        return piece * demand.cpusPerSlot() <= nodeClass.cpus()
                && piece * demand.memoryGiBPerSlot() <= nodeClass.memoryGiB();
    }

    private void offer(
            NodeClass nodeClass,
            int j,
            Job job,
            List<Integer> shape,
            SyncStrategy strategy,
            double aggregation,
            DominanceFilter offers) {
        JobSpec spec = job.spec();
        String type = nodeClass.acceleratorType();
        int slots = 0;
        for (int piece : shape) {
            slots += piece;
        }
        Goodput.Best best = Goodput.best(spec, type, slots, shape.size(), strategy, aggregation);
        if (best == null || !hardware.admits(nodeClass, job, best.goodput())) {
            return;
        }
        offers.sawBatch();
        int accumulation = spec.batch().accumulationSteps(best.batch(), type, slots);
        Configuration configuration =
                new Configuration(nodeClass.pool(), type, shape, strategy, aggregation, best.batch(), accumulation);
        offer(nodeClass, j, job, configuration, best.goodput(), offers);
        offerProbe(nodeClass, j, job, configuration, offers);
    }

    private void offer(
            NodeClass nodeClass, int j, Job job, Configuration configuration, double goodput, DominanceFilter offers) {
        double value = worth.of(job, configuration, goodput, false, nodeClass.price());
        if (!Double.isInfinite(value)) {
            offers.add(new Candidate(j, configuration, nodeClass.index(), goodput, value, false));
        }
    }

    /** The batch size of a profiling run may differ from the best one of the shape. */
    private void offerProbe(NodeClass nodeClass, int j, Job job, Configuration best, DominanceFilter offers) {
        ProfilingTarget profilingTarget = job.profilingTarget();
        Integer batch =
                profilingTarget == null || !profilingTarget.hasShapeOf(best) ? null : profilingTarget.batchSize();
        BatchLimits limits = job.spec().plannedBatch();
        String type = best.acceleratorType();
        if (batch == null || batch == best.batchSize() || !limits.allows(batch, type, best.slots())) {
            return;
        }
        Configuration measured = new Configuration(
                best.pool(),
                type,
                best.shape(),
                best.strategy(),
                best.aggregationSlots(),
                batch,
                limits.accumulationSteps(batch, type, best.slots()));
        double goodput = Goodput.of(job.spec(), measured);
        if (goodput > 0 && hardware.admits(nodeClass, job, goodput)) {
            offer(nodeClass, j, job, measured, goodput, offers);
        }
    }

    private List<Double> aggregationSteps(JobSpec spec, NodeClass nodeClass) {
        double low = spec.synchronization().minAggregationSlots();
        double high = Math.min(
                spec.synchronization().maxAggregationSlots(),
                hardware.aggregationThousandths(nodeClass.pool()) / 1000.0);
        TreeSet<Double> steps = new TreeSet<>(List.of(low, high));
        for (double measured : spec.profile().aggregationSlots(nodeClass.acceleratorType())) {
            steps.add(measured);
        }
        if (high - low <= MOST_AGGREGATION_STEPS) {
            for (double whole = Math.ceil(low); whole <= high; whole++) {
                steps.add(whole);
            }
        }
        return steps.stream()
                .filter(step -> step > 0 && step >= low && step <= high)
                .toList();
    }
}
