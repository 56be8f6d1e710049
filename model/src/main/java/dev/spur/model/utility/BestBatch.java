package dev.spur.model.utility;

import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.FeasibleBatchSizes;
import dev.spur.model.job.JobSpec;
import dev.spur.model.performance.BatchCurve;
import dev.spur.model.performance.EfficiencyPoint;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Search for the allowed batch size with the maximum goodput, the smallest of several.
 *
 * <p>Throughput is linear in the batch size between measured sizes, and the reciprocal of the efficiency is linear
 * between known ones. Their product is therefore monotone on each segment, and only the allowed sizes next to the ends
 * of segments are candidates.
 */
final class BestBatch {
    /** Ratio between offered batch sizes. */
    private static final double LARGER = 1.25;

    private final JobSpec spec;
    private final BatchLimits limits;
    private final String type;
    private final int slots;
    private final BatchCurve curve;
    private int best;
    private double max;

    /** @param curve throughput on {@code slots} devices of {@code type} */
    BestBatch(JobSpec spec, String type, int slots, BatchCurve curve) {
        this.spec = spec;
        this.limits = spec.plannedBatch();
        this.type = type;
        this.slots = slots;
        this.curve = curve;
    }

    /** Returns the best batch size; null if none is allowed or none has a positive goodput. */
    Goodput.@Nullable Best search() {
        if (limits.allows(limits.initial(), type, slots)) {
            consider(limits.initial());
        }
        if (limits.min() < limits.max()) {
            FeasibleBatchSizes sizes = limits.shares(type, slots);
            for (int batch : curve.breakpoints()) {
                considerNeighbors(batch, sizes);
            }
            for (EfficiencyPoint point : spec.efficiency().table()) {
                considerNeighbors(point.batchSize(), sizes);
            }
            considerNeighbors(limits.min(), sizes);
            considerNeighbors(limits.initial(), sizes);
            considerNeighbors(limits.max(), sizes);
        }
        return best == 0 ? null : new Goodput.Best(best, max);
    }

    /**
     * Returns allowed batch sizes above {@link #search the best one}, ascending: the next ones at least a quarter
     * larger, up to {@code most} of them. A larger batch makes longer steps, so that the job needs fewer CPUs for
     * aggregation.
     */
    List<Goodput.Best> larger(int most) {
        List<Goodput.Best> larger = new ArrayList<>();
        if (best == 0 || limits.min() >= limits.max()) {
            return larger;
        }
        FeasibleBatchSizes sizes = limits.shares(type, slots);
        int batch = sizes.atLeast(nextAbove(best));
        while (batch > 0 && larger.size() < most) {
            double goodput =
                    curve.at(batch) * spec.efficiency().at(batch, spec.batch().initial());
            if (goodput > 0) {
                larger.add(new Goodput.Best(batch, goodput));
            }
            batch = sizes.atLeast(nextAbove(batch));
        }
        return larger;
    }

    private static int nextAbove(int batch) {
        return (int) Math.min(Integer.MAX_VALUE, Math.ceil(LARGER * batch));
    }

    private void considerNeighbors(int batch, FeasibleBatchSizes sizes) {
        int below = sizes.atMost(batch);
        if (below > 0) {
            consider(below);
        }
        int above = below == batch ? 0 : sizes.atLeast(batch);
        if (above > 0) {
            consider(above);
        }
    }

    private void consider(int batch) {
        if (batch != best) {
            double goodput =
                    curve.at(batch) * spec.efficiency().at(batch, spec.batch().initial());
            if (goodput > max || (goodput == max && goodput > 0 && batch < best)) {
                max = goodput;
                best = batch;
            }
        }
    }
}
