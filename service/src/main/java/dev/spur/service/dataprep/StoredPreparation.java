package dev.spur.service.dataprep;

import dev.spur.model.dataprep.Loan;
import dev.spur.model.dataprep.Preparation;
import dev.spur.model.dataprep.PreparationAllocation;
import dev.spur.model.dataprep.PreparationSpec;
import dev.spur.service.database.Rows;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Job that prepares data.
 *
 * @param seq number in the order of submission
 * @param id id of the preparation
 * @param tenant name of its tenant
 * @param owner responsible owner
 * @param name display name
 * @param externalId id in another system; null if there is none
 * @param labels names and values chosen by the owner
 * @param spec specification
 * @param command command that executors start, as JSON; null if executors do not start it
 * @param state lifecycle state
 * @param submittedAt time of the submission
 * @param waitingSince start of the last waiting period
 * @param endedAt time of the end; null before it
 * @param generation number of starts; 0 before the first
 * @param grant allocation; null if there is none
 * @param heldSeconds time since the allocation was granted, by the clock of the database; 0 without an allocation
 * @param progress reported progress
 * @param pauses true during the pause after a failure
 * @param held true if rounds must not start it
 * @param version version of the row, which rises with every change
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
     * Reported progress.
     *
     * @param doneSeconds work done, in seconds at full speed
     * @param generation generation of the last report
     * @param seq number of the last report
     * @param activity activity of the borrowed memory, by lender
     * @param failures number of consecutive failures
     * @param detail last reported text; null for none
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

    /** Returns the work that is left, in seconds at full speed, at least 0. */
    public double remainingSeconds() {
        return Math.max(0, spec.seconds() - progress.doneSeconds());
    }

    /** Returns the nodes that lend memory to it. */
    public List<String> lenders() {
        return grant == null
                ? List.of()
                : grant.loans().stream().map(Loan::lender).toList();
    }

    /** Returns true if rounds must not start it now. */
    public boolean heldBack() {
        return pauses || held;
    }

    /**
     * Returns this preparation as the input of a round after its release. The waiting time of a held preparation begins
     * at {@code now}.
     */
    public Preparation offered(double now) {
        return held ? Preparation.of(id, tenant, now, spec, remainingSeconds(), null) : inRound();
    }

    /** Returns this preparation as the input of a round. */
    public Preparation inRound() {
        return new Preparation(
                id, tenant, Rows.seconds(waitingSince), spec, remainingSeconds(), grant, progress.activity());
    }
}
