package dev.spur.service.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.dataprep.PreparationAllocation;
import dev.spur.model.json.Rfc3339;
import dev.spur.model.round.PendingJob;
import dev.spur.model.round.PendingReason;
import dev.spur.service.api.JobDetailsReader.JobDetails;
import dev.spur.service.jobs.JobFailure;
import dev.spur.service.jobs.JobKind;
import dev.spur.service.jobs.JobState;
import dev.spur.service.jobs.StoredJob;
import dev.spur.service.jobs.StoredJob.JobDescriptor;
import dev.spur.service.jobs.StoredJob.JobRequest;
import dev.spur.service.jobs.learning.ChangeCost;
import dev.spur.service.jobs.lifecycle.JobWarnings.Warning;
import dev.spur.service.plans.PendingJobExplainer;
import dev.spur.service.questions.JobEta;
import dev.spur.service.web.contract.EntityTag;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.annotation.JsonSerialize;

/**
 * A job as the API returns it. Lists omit the specification and the commands.
 *
 * @param progress its state and its work
 * @param resources its allocation
 * @param waiting why it waits
 * @param eta predicted start and end
 * @param warnings problems of its execution
 * @param failure its last failure; null without one, and in lists
 * @param stalls stall of each change that it supports; null in lists, and for a data preparation
 */
record JobView(
        String id,
        @JsonUnwrapped JobDescriptor descriptor,
        @JsonUnwrapped JobRequest request,
        @JsonUnwrapped JobProgressView progress,
        @JsonUnwrapped JobResources resources,
        @Nullable PendingStatus waiting,
        @Nullable JobEta eta,
        List<Warning> warnings,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable JobFailure failure,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<ChangeCost> stalls) {
    /** Observed state of a job that waits again after a report. */
    private static final String STOPPED = "STOPPED";

    /**
     * State and work of a job. The work of a training job is in effective samples, that of a data preparation in
     * seconds.
     *
     * @param state its lifecycle state
     * @param held true if no round may start it
     * @param submittedAt time of its submission
     * @param endedAt time of its end
     * @param limitAt time at which it reaches its time limit if it keeps its slots
     * @param totalSamples its work
     * @param doneSamples work done
     * @param remainingSamples work left
     * @param doneSeconds work done
     * @param remainingSeconds work left
     * @param progress share of its work that is done, from 0 to 1
     */
    record JobProgressView(
            JobState state,
            boolean held,
            Instant submittedAt,
            @Nullable Instant endedAt,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Instant limitAt,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Double totalSamples,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Double doneSamples,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Double remainingSamples,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Double doneSeconds,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Double remainingSeconds,

            double progress) {
        static JobProgressView of(StoredJob job) {
            boolean trains = job.kind() == JobKind.TRAINING;
            return new JobProgressView(
                    job.state(),
                    job.held(),
                    job.submittedAt(),
                    job.endedAt(),
                    job.limitAt(),
                    trains ? job.work().total() : null,
                    trains ? job.work().done() : null,
                    trains ? job.work().remaining() : null,
                    trains ? null : job.work().done(),
                    trains ? null : job.work().remaining(),
                    job.progress());
        }
    }

    /**
     * Resources of a job by the plan, and the last report on them.
     *
     * @param generation number of its allocation
     * @param allocation its allocation in the plan
     * @param grant resources of a data preparation in the plan
     * @param slowDown slow-down of a data preparation by borrowed memory
     * @param observed state that executors report
     */
    record JobResources(
            long generation,

            @JsonSerialize(using = Rfc3339.AllocationSerializer.class) @Nullable
            Allocation allocation,

            @JsonSerialize(using = Rfc3339.GrantSerializer.class) @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            PreparationAllocation grant,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Double slowDown,

            StoredJob.@Nullable Observed observed) {}

    /**
     * Why a job waits.
     *
     * @param reason machine-readable reason
     * @param message the reason in a sentence
     * @param queuePosition position in the queue, from 1
     */
    record PendingStatus(PendingReason reason, String message, int queuePosition) {}

    /** The view of a job in a list. */
    static JobView of(StoredJob job, PendingJobLookup.PlanStatus plan, List<Warning> warnings) {
        return of(job, plan, JobDetails.inList(warnings));
    }

    static JobView of(StoredJob job, PendingJobLookup.PlanStatus plan, JobDetails details) {
        return new JobView(
                job.id(),
                job.descriptor(),
                job.request(),
                JobProgressView.of(job),
                new JobResources(job.generation(), job.allocation(), job.grant(), slowDown(job), observedState(job)),
                waiting(job, plan),
                !job.state().hasEnded()
                        ? plan.estimates()
                                .of(job.id(), waits(job), job.held(), job.since())
                                .orElse(null)
                        : null,
                details.warnings(),
                details.failure(),
                details.stalls());
    }

    /** ETag of the view, made of the versions of all its parts. */
    static EntityTag tag(StoredJob job, PendingJobLookup.PlanStatus plan, JobDetails details) {
        return EntityTag.of(
                job.version(),
                job.work().reportGeneration(),
                job.work().reportSeq(),
                plan.revision(),
                plan.explainedAt().toEpochMilli(),
                plan.estimates().version(),
                Integer.toUnsignedLong(details.version()));
    }

    private static StoredJob.@Nullable Observed observedState(StoredJob job) {
        StoredJob.Observed seen = job.observed();
        return seen == null
                ? null
                : new StoredJob.Observed(
                        waits(job) ? STOPPED : seen.state(), seen.detail(), seen.at(), seen.lastCheckpointStep());
    }

    private static @Nullable PendingStatus waiting(StoredJob job, PendingJobLookup.PlanStatus plan) {
        if (!waits(job)) {
            return null;
        }
        PendingJob why = PendingJobExplainer.waits(
                job.id(),
                job.held(),
                job.retryAt(),
                job.pauseCause(),
                job.awaitedTime(),
                String.join(", ", job.unmetDependencies()),
                plan.of(job.id()),
                1);
        return new PendingStatus(why.reason(), why.message(), why.queuePosition());
    }

    private static @Nullable Double slowDown(StoredJob job) {
        PreparationAllocation grant = job.grant();
        return grant == null || !job.hasSpec()
                ? null
                : (Double) job.preparationSpec().slowDown(grant.localGiB(), grant.borrowedGiB());
    }

    private static boolean waits(StoredJob job) {
        return job.state() == JobState.SUBMITTED || job.state() == JobState.WAITING;
    }
}
