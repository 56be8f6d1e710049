package dev.spur.solver.candidate;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.ProfilingTarget;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.utility.Goodput;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Enumerator of the configurations of one job on one kind of nodes. */
final class ConfigurationEnumerator {
    /** Maximum number of whole aggregation slots that are all offered; beyond it only the measured ones. */
    private static final int MAX_AGGREGATION_STEPS = 32;

    /**
     * A shape that fits, with one number of aggregation slots.
     *
     * @param configuration the configuration with the best batch size; null if no batch size is allowed and runs
     * @param goodput its effective samples per second
     */
    record Offer(List<Integer> shape, @Nullable Configuration configuration, double goodput) {}

    private final ClusterIndex hardware;
    private final ShapeCache shapes;
    private final NodeProfile kind;
    private final String type;
    private final Job job;
    private final JobSpec spec;
    private final List<Offer> offers = new ArrayList<>();

    private ConfigurationEnumerator(ClusterIndex hardware, ShapeCache shapes, NodeProfile kind, Job job) {
        this.hardware = hardware;
        this.shapes = shapes;
        this.kind = kind;
        this.type = kind.acceleratorType();
        this.job = job;
        this.spec = job.spec();
    }

    /** Returns the offers for {@code job} on the largest class of {@code kind}, ascending by slots. */
    static List<Offer> offers(ClusterIndex hardware, ShapeCache shapes, NodeProfile kind, Job job) {
        ConfigurationEnumerator enumerator = new ConfigurationEnumerator(hardware, shapes, kind, job);
        enumerator.enumerate();
        return enumerator.offers;
    }

    private void enumerate() {
        double[] none = {0};
        double[] steps = spec.synchronization().parameterServer() ? aggregationSteps() : new double[0];
        int capacity = (int) Math.min(Integer.MAX_VALUE, (long) kind.slotsPerNode() * kind.nodes());
        for (int slots : spec.elasticity().counts(capacity)) {
            if (spec.synchronization().allReduce() && hardware.canSum(type, SyncStrategy.ALL_REDUCE, slots)) {
                addShapes(slots, SyncStrategy.ALL_REDUCE, none);
            }
            if (steps.length > 0 && hardware.canSum(type, SyncStrategy.PARAMETER_SERVER, slots)) {
                addShapes(slots, SyncStrategy.PARAMETER_SERVER, steps);
            }
        }
    }

    private void addShapes(int slots, SyncStrategy strategy, double[] aggregationSteps) {
        boolean wholeNodes = hardware.needsWholeNodes(kind.pool());
        List<Integer> tight = shapes.consolidate(slots, kind.slotsPerNode());
        if (tight.size() == 1 || !wholeNodes || slots % kind.slotsPerNode() == 0) {
            addShape(slots, tight, strategy, aggregationSteps);
        }
        if (spec.elasticity().consolidate() || wholeNodes) {
            return;
        }
        for (int nodes : spec.profile().nodeCounts(type, strategy, slots)) {
            if (nodes > tight.size() && nodes <= slots) {
                addShape(slots, shapes.even(slots, nodes), strategy, aggregationSteps);
            }
        }
    }

    private void addShape(int slots, List<Integer> shape, SyncStrategy strategy, double[] aggregationSteps) {
        if (shape.size() <= kind.nodes()
                && spec.elasticity().allowsNodes(shape.size())
                && spec.host().fits(shape.get(0), kind.cpus(), kind.memoryGiB())) {
            for (double aggregation : aggregationSteps) {
                add(slots, shape, strategy, aggregation);
            }
        }
    }

    private void add(int slots, List<Integer> shape, SyncStrategy strategy, double aggregation) {
        Goodput.Best best = Goodput.best(spec, type, slots, shape.size(), strategy, aggregation);
        if (best == null) {
            offers.add(new Offer(shape, null, 0));
            return;
        }
        int accumulation = spec.batch().accumulationSteps(best.batch(), type, slots);
        Configuration configuration =
                new Configuration(kind.pool(), type, shape, strategy, aggregation, best.batch(), accumulation);
        offers.add(new Offer(shape, configuration, best.goodput()));
        addProbe(configuration);
    }

    /** The batch size of a profiling run may differ from the best one of the shape. */
    private void addProbe(Configuration best) {
        ProfilingTarget target = job.profilingTarget();
        Integer batch = target == null || !target.hasShapeOf(best) ? null : target.batchSize();
        BatchLimits limits = spec.plannedBatch();
        if (batch == null || batch == best.batchSize() || !limits.allows(batch, type, best.slots())) {
            return;
        }
        Configuration measured = best.withBatch(batch, limits.accumulationSteps(batch, type, best.slots()));
        double goodput = Goodput.of(spec, measured);
        if (goodput > 0) {
            offers.add(new Offer(best.shape(), measured, goodput));
        }
    }

    private double[] aggregationSteps() {
        double low = spec.synchronization().minAggregationSlots();
        double high = Math.min(
                spec.synchronization().maxAggregationSlots(), hardware.aggregationThousandths(kind.pool()) / 1000.0);
        TreeSet<Double> steps = new TreeSet<>(List.of(low, high));
        for (double measured : spec.profile().aggregationSlots(type)) {
            steps.add(measured);
        }
        if (high - low <= MAX_AGGREGATION_STEPS) {
            for (double whole = Math.ceil(low); whole <= high; whole++) {
                steps.add(whole);
            }
        }
        return steps.stream()
                .mapToDouble(Double::doubleValue)
                .filter(step -> step > 0 && step >= low && step <= high)
                .toArray();
    }
}
