package dev.spur.service.store;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A plan that waits, or has waited, for an operator.
 *
 * @param number its number, ascending
 * @param round number of the round that made it
 * @param baseRevision revision of the plan that was current then; 0 if there was none
 * @param status what became of it
 * @param createdAt when it was made
 * @param decidedAt when it was approved or rejected; null if nobody did
 * @param decidedBy who did
 * @param note what they said to it; null if nothing
 * @param reasons why it was refused although it was approved; empty otherwise
 * @param planRevision revision under which it was published; null if it was not
 * @param objectiveDelta worth of the plan less that of letting everybody stay
 * @param body the plan, as JSON
 * @param diff how it differs from what was, as JSON
 */
public record StoredProposal(
        long number,
        long round,
        long baseRevision,
        Status status,
        Instant createdAt,
        @Nullable Instant decidedAt,
        @Nullable String decidedBy,
        @Nullable String note,
        List<String> reasons,
        @Nullable Long planRevision,
        double objectiveDelta,
        String body,
        String diff) {
    public StoredProposal {
        reasons = List.copyOf(reasons);
    }

    /** What became of a proposal. */
    public enum Status {
        /** It waits for somebody to decide. */
        OPEN,
        /** Somebody has approved it, and the next round carries it out or refuses it. */
        APPROVED,
        /** It is or was the current plan. */
        PUBLISHED,
        /** It was approved, but would no longer have passed the check. */
        REFUSED,
        /** Somebody did not want it. */
        REJECTED,
        /** A later round came to something else before anybody decided. */
        SUPERSEDED
    }
}
