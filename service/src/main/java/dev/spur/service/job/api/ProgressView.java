package dev.spur.service.job.api;

import dev.spur.model.Seconds;
import dev.spur.service.executor.Batch;
import dev.spur.service.executor.ExecutorProperties;
import dev.spur.service.job.lifecycle.ProgressService;
import org.jspecify.annotations.Nullable;

/**
 * Response to a progress report.
 *
 * @param directive what the executor must do
 * @param generation the job's generation
 * @param applied false if the report contained nothing new
 * @param leaseTtlSeconds lifetime of the executor's lease; null if no executor starts the job
 * @param batch batch sizes of the allocation
 */
record ProgressView(
        ProgressService.Directive directive,
        long generation,
        boolean applied,
        @Nullable Double leaseTtlSeconds,
        Batch batch) {
    static ProgressView of(ProgressService.Reply reply, ExecutorProperties executors) {
        return new ProgressView(
                reply.directive(),
                reply.generation(),
                reply.applied(),
                reply.hasCommand() ? Seconds.of(executors.lease()) : null,
                Batch.of(reply.configuration()));
    }
}
