package dev.spur.service.store;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.spur.model.Checks;
import dev.spur.model.round.SolutionQuality;
import dev.spur.model.round.SolverStats;
import dev.spur.model.round.StepTime;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of a round.
 *
 * @param number its number, ascending
 * @param leaseTerm leaseTerm of the lease under which it ran; 0 before it ran
 * @param trigger why it ran
 * @param requestedAt when it was asked for, or began
 * @param startedAt when it began; null before
 * @param snapshotAt the time that it planned for; null before the snapshot
 * @param finishedAt when it ended; null before
 * @param status how far it has got
 * @param planRevision the plan that it published, or found to be still right; null if none
 * @param quality how good its plan is; null if it made none
 * @param stats what its solve did; null if it made no plan
 * @param steps its steps, with their times
 * @param dropped entries of its plan that were not published
 * @param error why it failed; null if it did not
 * @param inputHash SHA-256 of the problem's JSON, in hexadecimal digits; null before the snapshot
 * @param saved true if its problem is kept
 * @param domain the planning domain that it planned; null where nothing is divided
 */
public record RoundRecord(
        long number,
        long leaseTerm,
        String trigger,
        Instant requestedAt,
        @Nullable Instant startedAt,
        @Nullable Instant snapshotAt,
        @Nullable Instant finishedAt,
        RoundStatus status,
        @Nullable Long planRevision,
        @Nullable SolutionQuality quality,
        @Nullable SolverStats stats,
        List<StepTime> steps,
        List<DroppedEntry> dropped,
        @Nullable String error,
        @Nullable String inputHash,
        boolean saved,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String domain) {
    public RoundRecord {
        steps = Checks.copy(steps);
        dropped = Checks.copy(dropped);
    }

    /** This round as a caller sees it that is confined to tenants: without figures, which name those of others. */
    public RoundRecord seen(List<DroppedEntry> own) {
        return new RoundRecord(
                number,
                leaseTerm,
                trigger,
                requestedAt,
                startedAt,
                snapshotAt,
                finishedAt,
                status,
                planRevision,
                quality,
                null,
                steps,
                own,
                error,
                inputHash,
                saved,
                domain);
    }
}
