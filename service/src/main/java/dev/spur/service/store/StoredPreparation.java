package dev.spur.service.store;

import dev.spur.model.dataprep.Loan;
import dev.spur.model.dataprep.Preparation;
import dev.spur.model.dataprep.PreparationAllocation;
import dev.spur.model.dataprep.PreparationSpec;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job that prepares data.
 *
 * @param seq counts submissions
 * @param id its id
 * @param tenant name of its tenant
 * @param owner who answers for it
 * @param name its name for people
 * @param externalId its id elsewhere; null if it has none
 * @param labels names and values of the owner's choice
 * @param spec what was asked for
 * @param command what executors start, as JSON; null if none does
 * @param state where it is in its life
 * @param submittedAt when it came
 * @param waitingSince when it last began to wait
 * @param endedAt when it ended; null before
 * @param generation counts its starts; 0 before the first
 * @param grant what it holds; null if nothing
 * @param heldSeconds for how long it has held it, by the clock of the database; 0 if it holds nothing
 * @param progress what was reported of it
 * @param pauses true if it failed a short while ago, and is not started yet
 * @param held true if no round may start it
 * @param version rises with every change
 */
public record StoredPreparation(
        long seq,
        String id,
        String tenant,
        String owner,
        String name,
        @Nullable String externalId,
        Map<String, String> labels,
        PreparationSpec spec,
        @Nullable String command,
        PreparationState state,
        Instant submittedAt,
        Instant waitingSince,
        @Nullable Instant endedAt,
        long generation,
        @Nullable PreparationAllocation grant,
        double heldSeconds,
        Progress progress,
        boolean pauses,
        boolean held,
        long version) {
    public StoredPreparation {
        labels = Map.copyOf(labels);
    }

    /**
     * What was reported.
     *
     * @param doneSeconds work done, in seconds at full speed
     * @param generation of the last report
     * @param seq number of the last report
     * @param activity by lender, how busy what is borrowed there was
     * @param failures how often in a row it has failed
     * @param detail what was said last; null for nothing
     */
    public record Progress(
            double doneSeconds,
            long generation,
            long seq,
            Map<String, Double> activity,
            int failures,
            @Nullable String detail) {
        public Progress {
            activity = Map.copyOf(activity);
        }
    }

    /** Work that is left, in seconds at full speed, at least 0. */
    public double remainingSeconds() {
        return Math.max(0, spec.seconds() - progress.doneSeconds());
    }

    /** Nodes that lend to it. */
    public List<String> lenders() {
        return grant == null
                ? List.of()
                : grant.loans().stream().map(Loan::lender).toList();
    }

    /** True if no round may start it now. */
    public boolean heldBack() {
        return pauses || held;
    }

    /** This as a round sees it once it is held back no more: who is released begins to wait then. */
    Preparation offered(double now) {
        return held ? Preparation.of(id, tenant, now, spec, remainingSeconds(), null) : inRound();
    }

    /** This as a round sees it. */
    Preparation inRound() {
        return new Preparation(
                id, tenant, Rows.seconds(waitingSince), spec, remainingSeconds(), grant, progress.activity());
    }
}
