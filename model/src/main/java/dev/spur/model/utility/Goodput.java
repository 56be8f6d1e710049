package dev.spur.model.utility;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.JobSpec;
import dev.spur.model.performance.SyncStrategy;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Goodput: throughput times statistical efficiency, in effective samples per second. Source: Qiao et al., Pollux, OSDI
 * '21.
 */
public final class Goodput {
    private static final int LARGER_BATCHES = 6;

    private Goodput() {}

    /**
     * Returns the goodput of {@code configuration} with its host grant and crossings, at least 0; 0 for a configuration
     * that is not in the profile, and for a host grant that the job cannot use.
     */
    public static double of(JobSpec spec, Configuration configuration) {
        return spec.hostSpeed(configuration)
                * spec.crossingSpeed(configuration)
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
     */
    public static @Nullable Best best(
            JobSpec spec, String type, int slots, int nodes, SyncStrategy strategy, double aggregationSlots) {
        return new BestBatch(spec, type, slots, spec.profile().curve(type, strategy, slots, nodes, aggregationSlots))
                .search();
    }

    /**
     * Returns the batch sizes of a shape between which a round decides: that of {@link #best} and up to six larger
     * ones; empty if there is none.
     */
    public static List<Best> batches(
            JobSpec spec, String type, int slots, int nodes, SyncStrategy strategy, double aggregationSlots) {
        BestBatch search =
                new BestBatch(spec, type, slots, spec.profile().curve(type, strategy, slots, nodes, aggregationSlots));
        Best best = search.search();
        List<Best> batches = new ArrayList<>();
        if (best != null) {
            batches.add(best);
            batches.addAll(search.larger(LARGER_BATCHES));
        }
        return batches;
    }

    /** Returns the batch size of {@link #best}; empty if there is none. */
    public static OptionalInt bestBatch(
            JobSpec spec, String type, int slots, int nodes, SyncStrategy strategy, double aggregationSlots) {
        Best best = best(spec, type, slots, nodes, strategy, aggregationSlots);
        return best == null ? OptionalInt.empty() : OptionalInt.of(best.batch());
    }
}
