package dev.spur.service.jobs;

import dev.spur.model.json.RoundJson;
import dev.spur.service.jobs.JobEventDetail.Interruption;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

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
        Interruption detail = RoundJson.mapper().readValue(cause, Interruption.class);
        return switch (Objects.requireNonNullElse(detail.cause(), "")) {
            case "GANG_TIMEOUT" -> "No agent on %s started it in time.".formatted(names(detail.missing()));
            case "STOPPED_BY_EXECUTOR" -> "The executor of node %s stopped it.".formatted(detail.node());
            case "FAILED" -> failure(detail);
            default -> "It was requeued (see its events).";
        };
    }

    private static String failure(Interruption detail) {
        Integer failures = detail.failures();
        Integer maxRestarts = detail.maxRestarts();
        String attempt = failures == null || maxRestarts == null
                ? "It failed"
                : "Attempt %d of %d failed".formatted(failures, maxRestarts + 1);
        String place = detail.node() == null ? "" : " on node " + detail.node();
        String code = detail.exitCode() == null ? "" : " with exit code %d".formatted(detail.exitCode());
        return attempt + place + code + ".";
    }

    private static String names(@Nullable List<String> missing) {
        return missing == null || missing.isEmpty()
                ? "its nodes"
                : "node " + String.join(", node ", missing.stream().sorted().toList());
    }
}
