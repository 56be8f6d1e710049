package dev.spur.service.jobs;

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
 * Data preparation that has not ended, as rounds and executors use it. {@code StoredJob} is the same job for its owner.
 *
 * @param spec specification
 * @param command command that executors start, as JSON; null if executors do not start it
 * @param waitingSince start of the last waiting period
 * @param generation number of its starts and stops
 * @param grant resources by the plan; null if it waits
 * @param doneSeconds completed work, in seconds with its working set in local memory
 * @param activity activity of the borrowed memory, by lender
 * @param retryAt end of the pause after a failure; null without a pause
 * @param notBefore time before which no round starts it; null if there is none, or it has passed
 * @param held true if its owner or an operator holds it
 * @param unmetDependencies ids of the jobs that it waits for
 */
public record StoredPreparation(
        String id,
        String tenant,
        PreparationSpec spec,
        @Nullable String command,
        Instant waitingSince,
        long generation,
        @Nullable PreparationAllocation grant,
        double doneSeconds,
        Map<String, Double> activity,
        @Nullable Instant retryAt,
        @Nullable Instant notBefore,
        boolean held,
        List<String> unmetDependencies) {
    public StoredPreparation {
        unmetDependencies = List.copyOf(unmetDependencies);
        activity = Map.copyOf(activity);
    }

    /** Returns the nodes that lend memory to it. */
    public List<String> lenders() {
        return grant == null
                ? List.of()
                : grant.loans().stream().map(Loan::lender).toList();
    }

    /** Returns true if rounds must not start it now. */
    public boolean heldBack() {
        return held || retryAt != null || (grant == null && (notBefore != null || !unmetDependencies.isEmpty()));
    }

    /**
     * Returns this preparation as the input of a round after its release. The waiting time of a held preparation begins
     * at {@code now}.
     */
    public Preparation afterRelease(double now) {
        return held ? Preparation.of(id, tenant, now, spec, remainingSeconds(), null) : inRound();
    }

    /** Returns this preparation as the input of a round. */
    public Preparation inRound() {
        return new Preparation(id, tenant, Rows.seconds(waitingSince), spec, remainingSeconds(), grant, activity);
    }

    private double remainingSeconds() {
        return Math.max(0, spec.seconds() - doneSeconds);
    }
}
