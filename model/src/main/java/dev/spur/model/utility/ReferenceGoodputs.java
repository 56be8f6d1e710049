package dev.spur.model.utility;

import dev.spur.model.cluster.Node;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.Synchronization;
import dev.spur.model.performance.SyncStrategy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reference values for the goodputs of a job in a cluster: those of its smallest, of its fastest, and of its most
 * efficient configuration.
 */
public final class ReferenceGoodputs {
    /** By accelerator type: slots of the largest node, and of all nodes. */
    private final Map<String, int[]> slotsOf = new HashMap<>();

    /** @param nodes nodes of the cluster, or those of them that the job may use */
    public ReferenceGoodputs(List<Node> nodes) {
        for (Node node : nodes) {
            if (node.acceleratorType() != null && node.slots() > 0) {
                int[] slots = slotsOf.computeIfAbsent(node.acceleratorType(), type -> new int[2]);
                slots[0] = Math.max(slots[0], node.slots());
                slots[1] += node.slots();
            }
        }
    }

    /**
     * Returns the minimum goodput over the accelerator types of the cluster. For each type, it is that on the minimum
     * allowed slots on which the job runs, on as few nodes as possible; 0 if it runs nowhere.
     */
    double smallest(JobSpec spec) {
        double min = Double.POSITIVE_INFINITY;
        for (Map.Entry<String, int[]> type : slotsOf.entrySet()) {
            double goodput = smallest(spec, type.getKey(), type.getValue());
            min = goodput > 0 ? Math.min(min, goodput) : min;
        }
        return Double.isInfinite(min) ? 0 : min;
    }

    /**
     * Returns the maximum goodput over the accelerator types of the cluster, on as few nodes as possible. The slot
     * counts are the powers of two, multiples of the largest node, and the minimum and maximum allowed count; 0 if the
     * job runs on none.
     */
    public double fastest(JobSpec spec) {
        return max(spec, false);
    }

    /** Returns the maximum goodput per slot over the same configurations; 0 if the job runs on none. */
    public double highestPerSlot(JobSpec spec) {
        return max(spec, true);
    }

    private double max(JobSpec spec, boolean perSlot) {
        double largest = 0;
        for (Map.Entry<String, int[]> type : slotsOf.entrySet()) {
            largest = Math.max(largest, max(spec, type.getKey(), type.getValue(), perSlot));
        }
        return largest;
    }

    private static double smallest(JobSpec spec, String type, int[] slotsOfType) {
        if (!isKnown(spec, type)) {
            return 0;
        }
        for (int slots : spec.elasticity().counts(slotsOfType[1])) {
            double goodput = best(spec, type, slots, slotsOfType[0]);
            if (goodput > 0) {
                return goodput;
            }
        }
        return 0;
    }

    private static double max(JobSpec spec, String type, int[] slotsOfType, boolean perSlot) {
        if (!isKnown(spec, type)) {
            return 0;
        }
        int[] counts = spec.elasticity().counts(slotsOfType[1]);
        double max = 0;
        for (int i = 0; i < counts.length; i++) {
            boolean isUsual = Integer.bitCount(counts[i]) == 1 || counts[i] % slotsOfType[0] == 0;
            if (isUsual || i == 0 || i == counts.length - 1) {
                max = Math.max(max, best(spec, type, counts[i], slotsOfType[0]) / (perSlot ? counts[i] : 1));
            }
        }
        return max;
    }

    private static boolean isKnown(JobSpec spec, String type) {
        return spec.elasticity().allowsType(type)
                && spec.profile().acceleratorTypes().contains(type);
    }

    private static double best(JobSpec spec, String type, int slots, int largestNode) {
        int nodes = (slots + largestNode - 1) / largestNode;
        Synchronization allowed = spec.synchronization();
        double goodput = allowed.allReduce() ? best(spec, type, slots, nodes, SyncStrategy.ALL_REDUCE, 0) : 0;
        return goodput > 0 || !allowed.parameterServer()
                ? goodput
                : best(spec, type, slots, nodes, SyncStrategy.PARAMETER_SERVER, minAggregation(spec, type));
    }

    private static double best(
            JobSpec spec, String type, int slots, int nodes, SyncStrategy strategy, double aggregation) {
        Goodput.Best best = Goodput.best(spec, type, slots, nodes, strategy, aggregation);
        return best == null ? 0 : best.goodput();
    }

    private static double minAggregation(JobSpec spec, String type) {
        double min = spec.synchronization().minAggregationSlots();
        if (min > 0) {
            return min;
        }
        double[] measured = spec.profile().aggregationSlots(type);
        return measured.length == 0
                ? 0
                : Math.min(measured[0], spec.synchronization().maxAggregationSlots());
    }
}
