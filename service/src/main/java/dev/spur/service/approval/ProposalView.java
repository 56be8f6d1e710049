package dev.spur.service.approval;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.spur.model.json.RoundJson;
import dev.spur.service.plan.PlanChange;
import dev.spur.service.plan.PlanDiff;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A proposal as operators see it.
 *
 * @param basePlanRevision revision of the plan that was current when it was made; 0 if there was none
 * @param changed number of jobs that it would change
 * @param unchanged number of jobs that it would leave as they are
 * @param restartSeconds time that its changes cost the jobs together
 * @param changes each of the changes; null in lists
 */
record ProposalView(
        long number,
        long round,
        StoredProposal.Status status,
        Instant createdAt,
        @Nullable Instant decidedAt,
        @Nullable String decidedBy,
        @Nullable String note,
        List<String> reasons,
        long basePlanRevision,
        @Nullable Long planRevision,
        double objectiveDelta,
        int changed,
        int unchanged,
        double restartSeconds,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<PlanChange> changes) {
    static ProposalView of(StoredProposal stored, boolean whole) {
        PlanDiff diff = RoundJson.mapper().readValue(stored.diff(), PlanDiff.class);
        return new ProposalView(
                stored.number(),
                stored.round(),
                stored.status(),
                stored.createdAt(),
                stored.decidedAt(),
                stored.decidedBy(),
                stored.note(),
                stored.reasons(),
                stored.baseRevision(),
                stored.planRevision(),
                stored.objectiveDelta(),
                diff.changes().size(),
                diff.unchanged(),
                diff.restartSeconds(),
                whole ? diff.changes() : null);
    }
}
