package dev.spur.service.api;

import dev.spur.service.executor.Batch;
import dev.spur.service.executor.ExecutorProperties;
import dev.spur.service.job.ProgressService;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a progress report.
 *
 * @param directive what to do
 * @param generation the job's generation
 * @param applied false if the report said nothing new
 * @param leaseTtlSeconds how long the lease of an executor runs; null if none starts the job
 * @param batch the batch sizes of the allocation
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
                reply.hasCommand() ? executors.leaseSeconds() : null,
                Batch.of(reply.configuration()));
    }
}
