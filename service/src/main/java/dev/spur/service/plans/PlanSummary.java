package dev.spur.service.plans;

import dev.spur.model.json.RoundJson;
import dev.spur.model.round.SolutionQuality;
import java.time.Instant;

/**
 * Summary of a published plan.
 *
 * @param round number of the round that made it
 * @param publishedAt time of its publication
 * @param quality its solution quality
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
