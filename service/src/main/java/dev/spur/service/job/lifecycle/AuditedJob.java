package dev.spur.service.job.lifecycle;

import dev.spur.model.json.RoundJson;
import dev.spur.service.job.JobKind;
import dev.spur.service.job.JobState;
import dev.spur.service.job.NewJob;
import dev.spur.service.job.StoredJob;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Fields of a job that callers can change, as recorded in the audit trail. */
record AuditedJob(
        JobKind kind,
        String tenant,
        String owner,
        String name,
        @Nullable String externalId,
        Map<String, String> labels,
        @Nullable Instant deadline,
        List<String> dependsOn,
        JobState state,
        boolean held,
        @Nullable JsonNode spec,
        @Nullable JsonNode command,
        @Nullable JsonNode nextCommand) {
    static AuditedJob of(StoredJob job) {
        return new AuditedJob(
                job.kind(),
                job.tenant(),
                job.owner(),
                job.name(),
                job.externalId(),
                job.labels(),
                job.deadline(),
                job.dependsOn(),
                job.state(),
                job.held(),
                tree(job.spec()),
                tree(job.command()),
                tree(job.request().nextCommand()));
    }

    static AuditedJob of(NewJob job) {
        return new AuditedJob(
                job.kind(),
                job.tenant(),
                job.owner(),
                job.name(),
                job.externalId(),
                job.labels(),
                job.deadline(),
                job.dependsOn(),
                JobState.SUBMITTED,
                false,
                tree(job.spec()),
                tree(job.command()),
                null);
    }

    private static @Nullable JsonNode tree(@Nullable String json) {
        return json == null ? null : RoundJson.mapper().readTree(json);
    }
}
