package dev.spur.service.plan;

import dev.spur.model.json.RoundJson;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Messages about the cause of the pause of a job, from the event of its last release. */
public final class PauseMessages {
    /** Column with the cause; null without a pause. */
    public static final String COLUMN = """
            case when retry_at > now() then (select e.detail::text from job_event e
                where e.job_id = job.id and e.kind = 'REQUEUED' order by e.id desc limit 1) end as pause_cause""";

    private PauseMessages() {}

    /**
     * Returns one sentence.
     *
     * @param cause detail of the event as JSON; null if unknown
     */
    public static String of(@Nullable String cause) {
        if (cause == null) {
            return "It was requeued (see its events).";
        }
        JsonNode detail = RoundJson.mapper().readTree(cause);
        String node = detail.path("node").asString("");
        return switch (detail.path("cause").asString("")) {
            case "GANG_TIMEOUT" -> "No agent on %s started it in time.".formatted(names(detail.path("missing")));
            case "STOPPED_BY_EXECUTOR" -> "The executor of node %s stopped it.".formatted(node);
            case "FAILED" -> failure(detail, node);
            default -> "It was requeued (see its events).";
        };
    }

    private static String failure(JsonNode detail, String node) {
        String attempt = detail.has("failures")
                ? "Attempt %d of %d failed"
                        .formatted(
                                detail.path("failures").asInt(),
                                detail.path("maxRestarts").asInt() + 1)
                : "It failed";
        String place = node.isEmpty() ? "" : " on node " + node;
        String code = detail.has("exitCode")
                ? " with exit code %d".formatted(detail.path("exitCode").asInt())
                : "";
        return attempt + place + code + ".";
    }

    private static String names(JsonNode missing) {
        List<String> names =
                missing.valueStream().map(JsonNode::asString).sorted().toList();
        return names.isEmpty() ? "its nodes" : "node " + String.join(", node ", names);
    }
}
