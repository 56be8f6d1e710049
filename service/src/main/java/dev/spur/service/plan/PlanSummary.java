package dev.spur.service.plan;

import dev.spur.model.json.RoundJson;
import dev.spur.model.round.SolutionQuality;
import java.time.Instant;

/**
 * A published plan in short.
 *
 * @param revision its number
 * @param round number of the round that made it
 * @param publishedAt when
 * @param running number of jobs that run
 * @param waiting number of jobs that wait
 * @param quality how good it is known to be
 */
public record PlanSummary(
        long revision, long round, Instant publishedAt, int running, int waiting, SolutionQuality quality) {
    /** The summary that was stored with a plan. */
    static PlanSummary read(String json) {
        return RoundJson.mapper().readValue(json, PlanSummary.class);
    }

    /** The summary of {@code plan}. */
    public static PlanSummary of(PlanDocument plan) {
        return new PlanSummary(
                plan.revision(),
                plan.round(),
                plan.publishedAt(),
                plan.running().size(),
                plan.waiting().size(),
                plan.quality());
    }
}
