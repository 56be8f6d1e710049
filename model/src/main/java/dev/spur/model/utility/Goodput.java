package dev.spur.model.utility;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.FeasibleBatchSizes;
import dev.spur.model.job.JobSpec;
import dev.spur.model.performance.BatchCurve;
import dev.spur.model.performance.EfficiencyPoint;
import dev.spur.model.performance.SyncStrategy;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Goodput: throughput times statistical efficiency, in effective samples per second. Source: Qiao et al., Pollux, OSDI
 * '21.
 */
public final class Goodput {
    private Goodput() {}

    /**
     * Returns the goodput of {@code configuration} with its host grant, at least 0; 0 for a configuration that is not
     * in the profile, and for a host grant that the job cannot use.
     */
    public static double of(JobSpec spec, Configuration configuration) {
        return spec.hostSpeed(configuration)
                * of(
                        spec,
                        configuration.acceleratorType(),
                        configuration.slots(),
                        configuration.nodes(),
                        configuration.strategy(),
                        configuration.aggregationSlots(),
                        configuration.batchSize());
    }

    /**
     * Returns the goodput with the job's own host demand, {@code slots} of {@code type} on {@code nodes} nodes and
     * global batch size {@code batch}.
     */
    public static double of(
            JobSpec spec,
            String type,
            int slots,
            int nodes,
            SyncStrategy strategy,
            double aggregationSlots,
            int batch) {
        return spec.profile().throughput(type, strategy, slots, nodes, aggregationSlots, batch)
                * spec.efficiency().at(batch, spec.batch().initial());
    }

    /**
     * A batch size and its goodput.
     *
     * @param batch samples per step
     * @param goodput effective samples per second, above 0
     */
    public record Best(int batch, double goodput) {}

    /**
     * Returns the allowed batch size with the maximum goodput, the smallest of several; null if none is allowed or none
     * has a positive goodput. The host grant does not matter.
     *
     * <p>Throughput is linear in the batch size between measured sizes, and the reciprocal of the efficiency is linear
     * between known ones. Their product is therefore monotone on each segment, and only the allowed sizes next to the
     * ends of segments are candidates.
     */
    public static @Nullable Best best(
            JobSpec spec, String type, int slots, int nodes, SyncStrategy strategy, double aggregationSlots) {
        BatchCurve curve = spec.profile().curve(type, strategy, slots, nodes, aggregationSlots);
        int best = 0;
        double max = 0;
        int last = 0;
        for (int batch : candidates(spec, type, slots, curve)) {
            if (batch == last) {
                continue;
            }
            last = batch;
            double goodput =
                    curve.at(batch) * spec.efficiency().at(batch, spec.batch().initial());
            if (goodput > max) {
                max = goodput;
                best = batch;
            }
        }
        return best == 0 ? null : new Best(best, max);
    }

    /** Returns the batch size of {@link #best}; empty if there is none. */
    public static OptionalInt bestBatch(
            JobSpec spec, String type, int slots, int nodes, SyncStrategy strategy, double aggregationSlots) {
        Best best = best(spec, type, slots, nodes, strategy, aggregationSlots);
        return best == null ? OptionalInt.empty() : OptionalInt.of(best.batch());
    }

    /**
     * Returns the allowed batch sizes next to the breakpoints of the goodput, ascending, so that the smallest of
     * several best sizes is found first.
     */
    private static int[] candidates(JobSpec spec, String type, int slots, BatchCurve curve) {
        BatchLimits limits = spec.plannedBatch();
        if (limits.min() == limits.max()) {
            return limits.allows(limits.initial(), type, slots) ? new int[] {limits.initial()} : new int[0];
        }
        FeasibleBatchSizes shares = limits.shares(type, slots);
        int[] breakpoints = curve.breakpoints();
        List<EfficiencyPoint> table = spec.efficiency().table();
        int[] ends = new int[7 + 2 * (breakpoints.length + table.size())];
        int count = 0;
        if (limits.allows(limits.initial(), type, slots)) {
            ends[count++] = limits.initial();
        }
        for (int batch : breakpoints) {
            count = addNeighbors(ends, count, batch, shares);
        }
        for (EfficiencyPoint point : table) {
            count = addNeighbors(ends, count, point.batchSize(), shares);
        }
        count = addNeighbors(ends, count, limits.min(), shares);
        count = addNeighbors(ends, count, limits.initial(), shares);
        count = addNeighbors(ends, count, limits.max(), shares);
        int[] found = Arrays.copyOf(ends, count);
        Arrays.sort(found);
        return found;
    }

    private static int addNeighbors(int[] ends, int count, int batch, FeasibleBatchSizes shares) {
        int below = shares.atMost(batch);
        int above = below == batch ? 0 : shares.atLeast(batch);
        int added = count;
        if (below > 0) {
            ends[added++] = below;
        }
        if (above > 0) {
            ends[added++] = above;
        }
        return added;
    }
}
