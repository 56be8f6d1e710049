package dev.spur.service.jobs.lifecycle;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.spur.model.json.RoundJson;
import dev.spur.service.database.StoredJson;
import dev.spur.service.jobs.JobState;
import dev.spur.service.jobs.JobStore.NewJob;
import dev.spur.service.jobs.StatedDependency;
import dev.spur.service.jobs.StoredJob;
import dev.spur.service.jobs.StoredJob.JobDescriptor;
import dev.spur.service.jobs.StoredJob.JobRequest;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Fields of a job that callers can change, as recorded in the audit trail. */
record AuditedJob(
        @JsonUnwrapped JobDescriptor descriptor,
        @Nullable Instant deadline,
        @Nullable Instant notBefore,
        List<StatedDependency> dependsOn,
        JobState state,
        boolean held,
        @Nullable JsonNode spec,
        @Nullable JsonNode command,
        @Nullable JsonNode nextCommand) {
    static AuditedJob of(StoredJob job) {
        return of(job.descriptor(), job.request(), job.state(), job.held());
    }

    static AuditedJob ofNew(NewJob job) {
        return of(job.descriptor(), job.request(), JobState.SUBMITTED, false);
    }

    private static AuditedJob of(JobDescriptor descriptor, JobRequest request, JobState state, boolean held) {
        return new AuditedJob(
                descriptor,
                request.deadline(),
                request.notBefore(),
                request.dependsOn(),
                state,
                held,
                tree(request.spec()),
                tree(request.command()),
                tree(request.nextCommand()));
    }

    private static @Nullable JsonNode tree(@Nullable StoredJson json) {
        return json == null ? null : RoundJson.mapper().readTree(json.text());
    }
}
