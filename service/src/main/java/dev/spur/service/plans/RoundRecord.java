package dev.spur.service.plans;

import dev.spur.model.Checks;
import dev.spur.model.round.SolutionQuality;
import dev.spur.model.round.SolverStats;
import dev.spur.model.round.StepTime;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Record of a round.
 *
 * @param number number of the round, ascending
 * @param leaseTerm lease term of its planner; 0 before it runs
 * @param trigger reason of the round
 * @param requestedAt time of the request, or of the start if there was no request
 * @param startedAt start of the round; null before it
 * @param snapshotAt time that it planned for; null before the snapshot
 * @param finishedAt end of the round; null before it
 * @param planRevision revision of the plan that it published or confirmed; null if none
 * @param quality solution quality of its plan; null if it made none
 * @param stats statistics of its solve; null if it made no plan
 * @param steps steps with their times
 * @param dropped entries of its plan that were not published
 * @param error reason of the failure; null if it did not fail
 * @param inputHash SHA-256 of the input as JSON, in hexadecimal digits; null before the snapshot
 * @param saved true if its input is stored
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
        boolean saved) {
    public RoundRecord {
        steps = Checks.copy(steps);
        dropped = Checks.copy(dropped);
    }

    /**
     * Returns this round for a caller that is restricted to tenants, without stats, which reveal data of other tenants.
     */
    public RoundRecord redact(List<DroppedEntry> own) {
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
                saved);
    }
}
