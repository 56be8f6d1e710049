package dev.spur.solver.explain;

import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.JobSpec;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Messages about configurations that the batch size of a job excludes. */
public final class BatchSizeMessages {
    /** Maximum number of slots that is evaluated. */
    private static final int MAX_SLOTS = 256;
    /** Maximum number of slot counts in a message. */
    private static final int MAX_NAMED = 8;

    private BatchSizeMessages() {}

    /**
     * Returns the messages that follow another message, each after a space; empty if the batch size excludes nothing.
     */
    static String of(JobSpec spec) {
        return uneven(spec) + unknownEfficiency(spec);
    }

    /**
     * Returns the message for a job of which no allowed number of slots that fits divides an allowed batch size: also
     * the nearest batch sizes that the smallest number divides.
     */
    public static String notDivisible(JobSpec spec) {
        BatchLimits batch = spec.plannedBatch();
        int slots = spec.elasticity().minCount().orElse(spec.elasticity().minSlots());
        long unit = (long) slots * batch.multipleOf();
        long below = batch.max() / unit * unit;
        long above = (batch.min() + unit - 1) / unit * unit;
        String nearest = below == 0 ? "is %d".formatted(above) : "are %d and %d".formatted(below, above);
        return "%s The nearest for %d %s %s.%s"
                .formatted(
                        uneven(spec).strip(), slots, slots == 1 ? "slot" : "slots", nearest, unknownEfficiency(spec));
    }

    /** Returns whether an allowed batch divides into equal shares on an allowed number of slots above {@code slots}. */
    static boolean dividesAbove(JobSpec spec, int slots) {
        return Arrays.stream(spec.elasticity().counts(MAX_SLOTS))
                .anyMatch(more -> more > slots && spec.plannedBatch().dividesAmong(more));
    }

    private static String uneven(JobSpec spec) {
        BatchLimits batch = spec.plannedBatch();
        int[] counts = Arrays.stream(spec.elasticity().counts(MAX_SLOTS))
                .filter(slots -> !batch.dividesAmong(slots))
                .toArray();
        if (counts.length == 0) {
            return "";
        }
        String named = Arrays.stream(counts)
                .limit(MAX_NAMED)
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(", "));
        String size = batch.min() == batch.max()
                ? "A batch of %d samples".formatted(batch.initial())
                : "No batch from %d to %d samples".formatted(batch.min(), batch.max());
        String shares = batch.multipleOf() == 1
                ? "equal shares"
                : "equal shares of a multiple of %d".formatted(batch.multipleOf());
        return " %s %s into %s for %s%s slots."
                .formatted(
                        size,
                        batch.min() == batch.max() ? "does not divide" : "divides",
                        shares,
                        named,
                        counts.length > MAX_NAMED ? ", ..." : "");
    }

    private static String unknownEfficiency(JobSpec spec) {
        BatchLimits stated = spec.batch();
        return spec.efficiency().isKnown() || stated.min() == stated.max()
                ? ""
                : (" The batch stays at the initial %d samples because the statistical efficiency of others is unknown: "
                                + "state efficiency.noiseScale, or report the noise scale.")
                        .formatted(stated.initial());
    }
}
