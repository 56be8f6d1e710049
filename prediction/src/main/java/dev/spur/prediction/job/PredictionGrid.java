package dev.spur.prediction.job;

import dev.spur.model.allocation.Shapes;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.Synchronization;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.SyncStrategy;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * The configurations for which a planner requires predictions. Profiles are piecewise linear between them. Slots are
 * powers of two and whole nodes. Batch sizes and aggregation slots are geometric progressions. Slots are spread over
 * the minimum number of nodes and over two nodes.
 *
 * @param offers types of the cluster
 * @param elasticity slots on which the job may run
 * @param batch batch sizes that it may use
 * @param synchronization strategies that it may use
 */
public record PredictionGrid(
        List<TypeOffer> offers, Elasticity elasticity, BatchLimits batch, Synchronization synchronization) {
    /** Maximum number of batch sizes for each shape. */
    private static final int BATCHES = 8;
    /** Number of nodes up to which every number of whole nodes is in the grid. */
    private static final int NODES = 8;

    public PredictionGrid {
        offers = List.copyOf(offers);
    }

    /**
     * Returns the configurations as points without throughput, each once: by type, slots, nodes, strategy, batch size.
     */
    public List<ProfilePoint> points() {
        List<ProfilePoint> points = new ArrayList<>();
        for (TypeOffer offer : offers) {
            if (elasticity.allowsType(offer.acceleratorType())) {
                for (int slots : counts(offer)) {
                    for (int nodes : nodeCounts(offer, slots)) {
                        addBatches(points, offer.acceleratorType(), slots, nodes);
                    }
                }
            }
        }
        return points;
    }

    /** Returns the points with the minimum number of slots. */
    public List<ProfilePoint> smallest() {
        return upTo(0);
    }

    /**
     * Returns the points with at most {@code limit} slots, or with the smallest number of slots above half of it. So
     * the grid contains a larger number than any that it exceeds.
     */
    List<ProfilePoint> upTo(int limit) {
        List<ProfilePoint> all = points();
        int next = all.stream()
                .mapToInt(ProfilePoint::slots)
                .filter(slots -> slots > limit / 2)
                .min()
                .orElse(limit);
        return all.stream()
                .filter(point -> point.slots() <= Math.max(limit, next))
                .toList();
    }

    private NavigableSet<Integer> counts(TypeOffer offer) {
        int max = Math.min(elasticity.maxSlots(), offer.slots());
        int perNode = offer.slotsPerNode();
        NavigableSet<Integer> counts = new TreeSet<>();
        elasticity.minCount().ifPresent(counts::add);
        counts.add(max);
        for (int slots = 1; slots <= max; slots *= 2) {
            counts.add(slots);
        }
        for (int nodes = 1; nodes <= NODES && nodes * perNode <= max; nodes++) {
            counts.add(nodes * perNode);
        }
        counts.addAll(elasticity.allowedCounts());
        counts.removeIf(slots -> slots > max || !elasticity.allowsCount(slots));
        return counts;
    }

    private NavigableSet<Integer> nodeCounts(TypeOffer offer, int slots) {
        int tight = Shapes.consolidate(slots, offer.slotsPerNode()).size();
        NavigableSet<Integer> nodes = new TreeSet<>(List.of(tight));
        if (tight == 1 && slots > 1 && !elasticity.consolidate()) {
            nodes.add(2);
        }
        nodes.removeIf(count -> !elasticity.allowsNodes(count));
        return nodes;
    }

    private void addBatches(List<ProfilePoint> points, String type, int slots, int nodes) {
        for (int size : batches(type, slots)) {
            if (synchronization.allReduce()) {
                points.add(new ProfilePoint(type, slots, nodes, size, SyncStrategy.ALL_REDUCE, 0, 0));
            }
            if (synchronization.parameterServer()) {
                for (double aggregation : aggregations()) {
                    points.add(
                            new ProfilePoint(type, slots, nodes, size, SyncStrategy.PARAMETER_SERVER, aggregation, 0));
                }
            }
        }
    }

    private NavigableSet<Integer> batches(String type, int slots) {
        NavigableSet<Integer> sizes = new TreeSet<>();
        int min = Math.max(batch.min(), slots);
        int max = batch.largest(type, slots);
        for (int i = 0; i < BATCHES && min <= max; i++) {
            int size = (int) Math.round(min * Math.pow((double) max / min, i / (BATCHES - 1.0)));
            batch.atMost(size, type, slots).ifPresent(sizes::add);
        }
        if (batch.allows(batch.initial(), type, slots)) {
            sizes.add(batch.initial());
        }
        return sizes;
    }

    private NavigableSet<Double> aggregations() {
        NavigableSet<Double> counts = new TreeSet<>();
        double max = synchronization.maxAggregationSlots();
        if (synchronization.minAggregationSlots() > 0) {
            counts.add(synchronization.minAggregationSlots());
        }
        for (double slots = 1; slots < max; slots *= 2) {
            counts.add(slots);
        }
        counts.add(max);
        counts.removeIf(slots -> !synchronization.allows(SyncStrategy.PARAMETER_SERVER, slots));
        return counts;
    }
}
