package dev.spur.solver.candidate;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.HostGrant;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.HostDemand;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.ProfilingTarget;
import dev.spur.model.job.TopologyRequest;
import dev.spur.model.performance.HostLevel;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.utility.Goodput;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Enumerator of the configurations of one job on one class of nodes.
 *
 * <p>Each {@link ClassPart} has shapes of its own, on the nodes of its levels. Within a level, a configuration may take
 * the nodes that admit the job at its speed.
 */
final class ConfigurationEnumerator {
    /**
     * A shape that fits, with one number of aggregation slots.
     *
     * @param access the nodes that it may take, which hold it; possibly none without a configuration
     * @param configuration a configuration with one of the offered batch sizes; null if no batch size is allowed and
     *     runs, or no node admits the job at its speed
     * @param goodput its effective samples per second
     */
    record Offer(
            NodeAccess access,
            List<Integer> shape,
            @Nullable Configuration configuration,
            double goodput) {
        int slots() {
            return shape.stream().mapToInt(Integer::intValue).sum();
        }
    }

    /** Rounding error of thousandths of CPUs. */
    private static final double ROUNDING = 1e-6;

    private final ClusterIndex clusterIndex;
    private final NodeSupplies supplies;
    private final NodeClass nodeClass;
    private final String type;
    private final Job job;
    private final JobSpec spec;
    private final boolean wholeNodes;
    private final List<ClassPart> parts;
    private final boolean isLimitedInTime;
    /** Host resources granted per slot. */
    private final HostLevel level;
    /** The same; null for the stated demand. */
    private final @Nullable HostGrant grant;
    /** Whether the CPUs of aggregation depend on the batch size. */
    private final boolean dependsOnBatch;
    /** Host demand of ranks where it limits the slots of some node; otherwise none. */
    private final HostDemand demand;

    private final Map<NodeAccess, NodeSupply> supplyOf = new HashMap<>();
    private final Map<NodeSupply, NodeSizes> ownFreeSizes = new HashMap<>();
    private final AggregationSteps aggregationSteps;
    private final List<Offer> offers = new ArrayList<>();

    private ConfigurationEnumerator(
            ClusterIndex clusterIndex,
            NodeSupplies supplies,
            NodeClass nodeClass,
            Job job,
            HostLevel level,
            boolean dependsOnBatch) {
        this.clusterIndex = clusterIndex;
        this.supplies = supplies;
        this.nodeClass = nodeClass;
        this.type = nodeClass.acceleratorType();
        this.job = job;
        this.spec = job.spec();
        this.wholeNodes = clusterIndex.needsWholeNodes(nodeClass.pool());
        this.isLimitedInTime = nodeClass.atoms().stream().anyMatch(NodeAtom::isLimitedInTime);
        this.level = level;
        this.grant = spec.grant(level);
        this.demand = supplies.limiting(nodeClass, HostDemand.of(level));
        this.dependsOnBatch = dependsOnBatch;
        this.parts = ClassPart.of(clusterIndex, nodeClass, job);
        this.aggregationSteps = new AggregationSteps(spec, type);
    }

    /**
     * Returns the offers for {@code job} on {@code nodeClass} with the host resources of {@code level}, ascending by
     * slots.
     *
     * @param dependsOnBatch whether the CPUs of aggregation depend on the batch size, so that several are offered
     */
    static List<Offer> offers(
            ClusterIndex clusterIndex,
            NodeSupplies supplies,
            NodeClass nodeClass,
            Job job,
            HostLevel level,
            boolean dependsOnBatch) {
        ConfigurationEnumerator enumerator =
                new ConfigurationEnumerator(clusterIndex, supplies, nodeClass, job, level, dependsOnBatch);
        enumerator.enumerate();
        return enumerator.offers;
    }

    private NodeSupply supply(NodeAccess access) {
        return supplyOf.computeIfAbsent(access, a -> supplies.of(nodeClass, a, demand));
    }

    private void enumerate() {
        long slots = parts.get(0).accesses().stream()
                .mapToLong(access -> supply(access).idleSizes().slots())
                .max()
                .orElse(0);
        for (int count : spec.elasticity().counts((int) Math.min(Integer.MAX_VALUE, slots))) {
            if (spec.synchronization().allReduce() && clusterIndex.canSum(type, SyncStrategy.ALL_REDUCE, count)) {
                new CountEnumerator(count, SyncStrategy.ALL_REDUCE, new double[] {0}).run();
            }
            if (spec.synchronization().parameterServer()
                    && clusterIndex.canSum(type, SyncStrategy.PARAMETER_SERVER, count)) {
                addWithAggregation(count);
            }
        }
    }

    private void addWithAggregation(int count) {
        double[] offered = aggregationSteps.of(aggregationNextTo(count));
        if (offered.length > 0) {
            new CountEnumerator(count, SyncStrategy.PARAMETER_SERVER, offered).run();
        }
    }

    /** Returns the aggregation slots of the idle pool next to {@code slots} slots of the job. */
    private double aggregationNextTo(int slots) {
        double limit = clusterIndex.aggregationThousandths(nodeClass.pool()) / 1000.0;
        double perSlot = level.cpusPerSlot();
        boolean isShared = perSlot > 0 && clusterIndex.haveAggregation(nodeClass);
        double cpus = clusterIndex.cpusWithAggregation(nodeClass.pool()) - slots * perSlot;
        return isShared ? Math.min(limit, Math.floor(1000 * cpus + ROUNDING) / 1000) : limit;
    }

    /** Returns the shapes of {@code slots} slots on the nodes of {@code access} that the request allows. */
    private Collection<List<Integer>> shapes(NodeAccess access, int slots, SyncStrategy strategy) {
        NodeSupply supply = supply(access);
        if (wholeNodes) {
            return wholeShapes(access, supply, slots);
        }
        NodeSupply unlimited =
                demand.equals(HostDemand.NONE) ? supply : supplies.of(nodeClass, access, HostDemand.NONE);
        List<List<Integer>> found =
                unlimited.shapes(slots, free(access, unlimited, HostDemand.NONE), isSmallest(slots));
        if (found.isEmpty()) {
            return found;
        }
        int minNodes = found.get(0).size();
        boolean isUnlimited = supply.equals(unlimited) && spec.roles().list().isEmpty();
        List<List<Integer>> hosted = isUnlimited ? found : withHost(found, access, slots);
        return spec.elasticity().consolidate()
                ? hosted.stream().filter(shape -> shape.size() == minNodes).toList()
                : withEven(hosted, minNodes, access, slots, strategy);
    }

    /** Returns {@code found} and the even shapes on further numbers of nodes that were measured. */
    private Collection<List<Integer>> withEven(
            List<List<Integer>> found, int minNodes, NodeAccess access, int slots, SyncStrategy strategy) {
        Collection<List<Integer>> all = found;
        for (int nodes : spec.profile().nodeCounts(type, strategy, slots)) {
            List<Integer> even =
                    nodes > minNodes && nodes <= slots ? supply(access).even(slots, nodes) : List.of();
            if (!even.isEmpty() && !all.contains(even) && holds(access, even)) {
                all = all == found ? new ArrayList<>(found) : all;
                all.add(even);
            }
        }
        return all;
    }

    /**
     * Returns those of {@code found} that hosts feed. Where they feed none, only the smallest number of slots takes
     * fewer slots of each node. The share of roles in the demand of a slot depends on the shape, so that other shapes
     * may follow from that of the last ones.
     */
    private List<List<Integer>> withHost(List<List<Integer>> found, NodeAccess access, int slots) {
        List<List<Integer>> shapes = found;
        List<List<Integer>> hosted = retainHeld(shapes, access);
        HostDemand tried = HostDemand.NONE;
        HostDemand next = isSmallest(slots) ? demandIn(found.get(0)) : tried;
        while (hosted.isEmpty() && !shapes.isEmpty() && !next.equals(tried)) {
            tried = next;
            NodeSupply supply = supplies.of(nodeClass, access, tried);
            shapes = supply.shapes(slots, free(access, supply, tried), true);
            hosted = retainHeld(shapes, access);
            next = shapes.isEmpty() ? tried : tried.max(demandIn(shapes.get(0)));
        }
        return hosted;
    }

    private List<List<Integer>> retainHeld(List<List<Integer>> shapes, NodeAccess access) {
        return shapes.stream().filter(shape -> holds(access, shape)).toList();
    }

    /** Returns whether the idle nodes of {@code access} hold {@code shape} with the host demand of its slots. */
    private boolean holds(NodeAccess access, List<Integer> shape) {
        NodeSupply supply =
                spec.roles().list().isEmpty() ? supply(access) : supplies.of(nodeClass, access, demandIn(shape));
        return supply.idleSizes().hold(shape);
    }

    private HostDemand demandIn(List<Integer> shape) {
        return supplies.limiting(
                nodeClass, HostDemand.of(level).plus(spec.roles().largestShare(shape)));
    }

    private boolean isSmallest(int slots) {
        return slots == spec.elasticity().minCount().orElse(0);
    }

    private NodeSizes free(NodeAccess access, NodeSupply supply, HostDemand host) {
        Allocation heldAllocation = job.allocation();
        return heldAllocation == null
                ? supply.freeSizes()
                : ownFreeSizes.computeIfAbsent(
                        supply, s -> supplies.freeFor(heldAllocation, s, nodeClass, access, host));
    }

    /** Returns the only shape on nodes of which several are taken as a whole: on one node, or on nodes of one size. */
    private List<List<Integer>> wholeShapes(NodeAccess access, NodeSupply supply, int slots) {
        int[] sizes = nodeClass.atoms().stream()
                .filter(atom -> access.containsAtom(atom.index()))
                .mapToInt(atom -> ClassPart.nodeSlots(clusterIndex, atom))
                .distinct()
                .toArray();
        List<Integer> shape = supply.idleSizes().fill(slots, supply.idleSizes().largest());
        boolean isWhole = sizes.length == 1 && shape.stream().allMatch(piece -> piece == sizes[0]);
        return !shape.isEmpty() && (shape.size() == 1 || isWhole) && holds(access, shape) ? List.of(shape) : List.of();
    }

    /** Enumerator of the configurations with one number of slots and one strategy. */
    private final class CountEnumerator {
        private ClassPart part = parts.get(0);
        private final int slots;
        private final SyncStrategy strategy;
        private final double[] offeredAggregation;
        /** Number of nodes of {@link #best}; 0 before the first. */
        private int bestNodes;
        /** By step of aggregation slots: the batch sizes between which the round decides. */
        private List<List<Goodput.Best>> best = List.of();

        CountEnumerator(int slots, SyncStrategy strategy, double[] offeredAggregation) {
            this.slots = slots;
            this.strategy = strategy;
            this.offeredAggregation = offeredAggregation;
        }

        void run() {
            for (ClassPart each : parts) {
                part = each;
                visitPart(each.accesses());
            }
        }

        private void visitPart(List<NodeAccess> own) {
            if (own.size() == 1 || wholeNodes) {
                own.forEach(access -> visit(access, shapes(access, slots, strategy)));
                return;
            }
            Set<List<Integer>> union = new LinkedHashSet<>();
            own.forEach(access -> union.addAll(shapes(access, slots, strategy)));
            for (NodeAccess access : own) {
                // A placement of a shape on cheaper nodes only is a candidate with their price.
                visit(access, retainHeld(List.copyOf(union), access));
            }
        }

        /** Adds the shapes on {@code access}, and further ones where windows keep these off some of its nodes. */
        private void visit(NodeAccess access, Collection<List<Integer>> own) {
            if (!isLimitedInTime) {
                own.forEach(shape -> add(access, shape, List.of()));
                return;
            }
            Set<NodeAccess> seen = new LinkedHashSet<>(List.of(access));
            List<NodeAccess> narrower = new ArrayList<>();
            own.forEach(shape -> add(access, shape, narrower));
            while (!narrower.isEmpty()) {
                NodeAccess next = narrower.remove(narrower.size() - 1);
                if (!next.isEmpty() && seen.add(next)) {
                    shapes(next, slots, strategy).forEach(shape -> add(access, shape, narrower));
                }
            }
        }

        /** Adds {@code shape} on the nodes of {@code levelAccess} that admit it, and adds these to {@code narrower}. */
        private void add(NodeAccess levelAccess, List<Integer> shape, List<NodeAccess> narrower) {
            boolean isOffered = part.offers(shape) && spec.elasticity().allowsNodes(shape.size());
            for (int i = 0; isOffered && i < offeredAggregation.length; i++) {
                List<Goodput.Best> batches = best(shape.size(), i);
                if (batches.isEmpty()) {
                    add(levelAccess, shape, offeredAggregation[i], null);
                }
                for (Goodput.Best batch : batches) {
                    add(levelAccess, shape, offeredAggregation[i], acrossBoundaries(batch), narrower);
                }
            }
        }

        private void add(
                NodeAccess levelAccess,
                List<Integer> shape,
                double aggregation,
                Goodput.Best batch,
                List<NodeAccess> narrower) {
            NodeAccess access = levelAccess;
            if (isLimitedInTime) {
                access = clusterIndex.admit(levelAccess, nodeClass, job, batch.goodput());
                narrower.add(access);
            }
            boolean isHeld = access.equals(levelAccess) || (!access.isEmpty() && holds(access, shape));
            add(isHeld ? access : levelAccess, shape, aggregation, isHeld ? batch : null);
        }

        private List<Goodput.Best> best(int nodes, int step) {
            if (nodes != bestNodes) {
                bestNodes = nodes;
                best = new ArrayList<>(offeredAggregation.length);
                for (double aggregation : offeredAggregation) {
                    best.add(batches(nodes, aggregation));
                }
            }
            return best.get(step);
        }

        private List<Goodput.Best> batches(int nodes, double aggregation) {
            if (aggregation > 0 && dependsOnBatch) {
                return Goodput.batches(spec, type, slots, nodes, strategy, aggregation).stream()
                        .map(this::atLevel)
                        .toList();
            }
            Goodput.Best only = Goodput.best(spec, type, slots, nodes, strategy, aggregation);
            return only == null ? List.of() : List.of(atLevel(only));
        }

        private Goodput.Best acrossBoundaries(Goodput.Best best) {
            TopologyRequest topology = spec.elasticity().topology();
            return topology == null || part.crossings() == 0
                    ? best
                    : new Goodput.Best(best.batch(), topology.speed(part.crossings()) * best.goodput());
        }

        private Goodput.Best atLevel(Goodput.Best best) {
            return level.speed() == 1 ? best : new Goodput.Best(best.batch(), level.speed() * best.goodput());
        }

        private void add(NodeAccess access, List<Integer> shape, double aggregation, Goodput.@Nullable Best best) {
            if (best == null) {
                offers.add(new Offer(access, shape, null, 0));
                return;
            }
            int accumulation = spec.batch().accumulationSteps(best.batch(), type, slots);
            Configuration configuration = new Configuration(
                    nodeClass.pool(),
                    type,
                    shape,
                    strategy,
                    aggregation,
                    best.batch(),
                    accumulation,
                    grant,
                    part.crossings());
            offers.add(new Offer(access, shape, configuration, best.goodput()));
            addProbe(access, configuration);
        }

        /** The batch size of a profiling run may differ from the best one of the shape. */
        private void addProbe(NodeAccess access, Configuration bestConfiguration) {
            ProfilingTarget target = job.profilingTarget();
            Integer batch = target == null || !target.hasShapeOf(bestConfiguration) ? null : target.batchSize();
            BatchLimits limits = spec.plannedBatch();
            if (batch == null || batch == bestConfiguration.batchSize() || !limits.allows(batch, type, slots)) {
                return;
            }
            Configuration measured = bestConfiguration.withBatch(batch, limits.accumulationSteps(batch, type, slots));
            double goodput = Goodput.of(spec, measured);
            NodeAccess admitted = goodput > 0 ? clusterIndex.admit(access, nodeClass, job, goodput) : access;
            if (goodput > 0 && !admitted.isEmpty() && holds(admitted, bestConfiguration.shape())) {
                offers.add(new Offer(admitted, bestConfiguration.shape(), measured, goodput));
            }
        }
    }
}
