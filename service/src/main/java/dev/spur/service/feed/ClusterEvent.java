package dev.spur.service.feed;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.spur.model.json.RoundJson;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Event of a job, or the publication of a plan, as feeds return it.
 *
 * @param position position in the log
 * @param id id of the event, which is its position
 * @param at time of the event, truncated to milliseconds
 * @param jobId job of the event; null for a plan
 * @param jobName display name of the job; null for a plan
 * @param tenant tenant of the job; null for a plan
 */
public record ClusterEvent(
        @JsonIgnore EventPosition position,
        String id,
        Instant at,
        String kind,
        @Nullable String jobId,
        @Nullable String jobName,
        @Nullable String tenant,
        Map<String, Object> detail) {
    /** Kind of the publication of a plan. */
    public static final String PLAN_PUBLISHED = "PLAN_PUBLISHED";

    /** This event in JSON, on one line. */
    public String json() {
        return RoundJson.mapper().writeValueAsString(this);
    }
}
