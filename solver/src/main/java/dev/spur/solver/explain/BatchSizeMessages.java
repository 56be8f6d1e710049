package dev.spur.solver.explain;

import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.JobSpec;
import java.util.Arrays;
import java.util.stream.Collectors;

/** What the batch size excludes from the choices of a job, in sentences that follow another one. */
final class BatchSizeMessages {
    /** Slot counts that are looked at. */
    private static final int MOST_SLOTS = 256;
    /** Slot counts that are named. */
    private static final int MOST_NAMED = 8;

    private BatchSizeMessages() {}

    /** The sentences, each after a space; empty if the batch size excludes nothing. */
    static String of(JobSpec spec) {
        return uneven(spec) + unknownEfficiency(spec);
    }

    private static String uneven(JobSpec spec) {
        BatchLimits batch = spec.plannedBatch();
        int[] counts = Arrays.stream(spec.elasticity().counts(MOST_SLOTS))
                .filter(slots -> !batch.dividesAmong(slots))
                .toArray();
        if (counts.length == 0) {
            return "";
        }
        String named = Arrays.stream(counts)
                .limit(MOST_NAMED)
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
                        counts.length > MOST_NAMED ? ", .. " : "");
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
