package dev.spur.service.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.spur.model.Seconds;
import dev.spur.model.dataprep.PreparationAllocation;
import dev.spur.model.json.Rfc3339;
import dev.spur.service.executors.Batch;
import dev.spur.service.executors.ExecutorProperties;
import dev.spur.service.executors.PreparationProgress.PreparationReply;
import dev.spur.service.jobs.StoredJob;
import dev.spur.service.jobs.lifecycle.ProgressService;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.annotation.JsonSerialize;

/**
 * Response to a progress report.
 *
 * @param directive what the executor must do
 * @param applied false if the report contained nothing new
 * @param leaseTtlSeconds lifetime of the executor's lease; null if no executor starts the job
 * @param batch batch sizes of the allocation; null for a data preparation
 * @param grant resources of a data preparation; null for a training job
 */
record ProgressView(
        ProgressService.Directive directive,
        long generation,
        boolean applied,
        @Nullable Double leaseTtlSeconds,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Batch batch,

        @JsonSerialize(using = Rfc3339.GrantSerializer.class)
        @JsonDeserialize(using = Rfc3339.GrantDeserializer.class)
        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable
        PreparationAllocation grant) {
    static ProgressView of(ProgressService.Reply reply, ExecutorProperties executors) {
        return new ProgressView(
                reply.directive(),
                reply.generation(),
                reply.applied(),
                reply.hasCommand() ? Seconds.of(executors.lease()) : null,
                Batch.of(reply.configuration()),
                null);
    }

    static ProgressView of(PreparationReply reply, ExecutorProperties executors) {
        StoredJob job = reply.job();
        return new ProgressView(
                job.grant() == null
                        ? ProgressService.Directive.CHECKPOINT_AND_STOP
                        : ProgressService.Directive.CONTINUE,
                job.generation(),
                reply.applied(),
                !job.hasCommand() ? null : Seconds.of(executors.lease()),
                null,
                job.grant());
    }
}
