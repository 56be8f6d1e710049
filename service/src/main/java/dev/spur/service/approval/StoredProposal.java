package dev.spur.service.approval;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Plan that waits, or has waited, for the approval of an operator.
 *
 * @param round number of the round that made it
 * @param baseRevision revision of the plan at that time; 0 if there was none
 * @param createdAt time of the proposal
 * @param decidedAt time of the decision; null before it
 * @param decidedBy operator who decided
 * @param note note of the operator; null if there is none
 * @param reasons reasons why it was not published although it was approved; empty otherwise
 * @param planRevision revision of the published plan; null if it was not published
 * @param objectiveDelta objective value of the plan minus that of keeping all allocations
 * @param body the plan as JSON
 * @param diff differences from the previous plan, as JSON
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

    /** Status of a proposal. */
    public enum Status {
        /** The proposal waits for a decision. */
        OPEN,
        /** The proposal is approved, and the next round publishes it or marks it as REFUSED. */
        APPROVED,
        /** The proposal is or was the current plan. */
        PUBLISHED,
        /** The proposal was approved, but no longer passed the plan validator. */
        REFUSED,
        /** An operator has rejected the proposal. */
        REJECTED,
        /** A later round produced another plan before a decision. */
        SUPERSEDED
    }
}
