package dev.spur.model.worth;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.JobSpec;
import dev.spur.model.performance.BatchCurve;
import dev.spur.model.performance.EfficiencyPoint;
import dev.spur.model.performance.SyncStrategy;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/** Throughput times statistical efficiency, in useful samples per second. Source: Qiao et al., Pollux, OSDI '21. */
public final class Goodput {
    private Goodput() {}

    /** Goodput of {@code configuration}, at least 0; 0 where the profile knows nothing. */
    public static double of(JobSpec spec, Configuration configuration) {
        return of(
                spec,
                configuration.acceleratorType(),
                configuration.slots(),
                configuration.nodes(),
                configuration.strategy(),
                configuration.aggregationSlots(),
                configuration.batchSize());
    }

    /** Goodput with {@code slots} of {@code type} on {@code nodes} nodes at global batch size {@code batch}. */
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
     * The allowed batch size with the highest goodput, the smallest of several; empty if none is allowed or none runs.
     *
     * <p>Throughput is linear in the batch size between measured ones, and the reciprocal of efficiency is linear between
     * known ones; their product is therefore monotone on each piece, and only ends of pieces need to be looked at.
     */
    public static OptionalInt bestBatch(
            JobSpec spec, String type, int slots, int nodes, SyncStrategy strategy, double aggregationSlots) {
        BatchCurve curve = spec.profile().curve(type, strategy, slots, nodes, aggregationSlots);
        int best = 0;
        double most = 0;
        for (int batch : endsOfPieces(spec, type, slots, curve)) {
            double goodput =
                    curve.at(batch) * spec.efficiency().at(batch, spec.batch().initial());
            if (goodput > most) {
                most = goodput;
                best = batch;
            }
        }
        return best == 0 ? OptionalInt.empty() : OptionalInt.of(best);
    }

    /** Where goodput may bend, ascending: the smallest of several best ones is found first. */
    private static int[] endsOfPieces(JobSpec spec, String type, int slots, BatchCurve curve) {
        BatchLimits limits = spec.batch();
        IntStream own = IntStream.of(limits.initial(), Math.max(limits.min(), slots), limits.largest(type, slots));
        IntStream table = spec.efficiency().table().stream().mapToInt(EfficiencyPoint::batchSize);
        return IntStream.concat(IntStream.concat(own, table), IntStream.of(curve.bends()))
                .filter(batch -> limits.allows(batch, type, slots))
                .sorted()
                .distinct()
                .toArray();
    }
}
