package dev.spur.service.feeds;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.spur.model.json.RoundJson;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Event of a job, or the publication of a plan, as feeds return it. Members as in the contract. */
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
