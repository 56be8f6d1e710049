package dev.spur.service.jobs;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.dataprep.PreparationAllocation;
import dev.spur.model.dataprep.PreparationSpec;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.JobSpec;
import dev.spur.service.database.StoredJson;
import dev.spur.service.web.contract.ProblemException;
import dev.spur.service.web.contract.ProblemType;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Job as it is stored. The state desired by the plan is kept apart from the state observed by executors.
 *
 * @param seq number in the order of submission
 * @param descriptor kind, owner and names
 * @param request requests of its owner
 * @param unmetDependencies ids of the jobs and arrays of its dependencies whose condition is not met
 * @param state lifecycle state
 * @param held true if rounds must not start it
 * @param retryAt end of the pause after a failure; null without a pause
 * @param pauseCause cause of the pause as JSON; null without a pause
 * @param submittedAt time of the submission
 * @param since start of its allocation, or of its last wait
 * @param endedAt time of the end; null before it
 * @param limitAt time at which it reaches its time limit if it keeps its slots; null while it holds none, and without a
 *     limit
 * @param work total and completed work
 * @param generation number of its allocation
 * @param allocation allocation by the plan; null if the job waits or has ended, and for a data preparation
 * @param grant resources of a data preparation by the plan; null if it waits or has ended, and for a training job
 * @param observed last report; null before the first
 * @param version version of the row
 */
public record StoredJob(
        long seq,
        String id,
        JobDescriptor descriptor,
        JobRequest request,
        List<String> unmetDependencies,
        JobState state,
        boolean held,
        @Nullable Instant retryAt,
        @Nullable String pauseCause,
        Instant submittedAt,
        Instant since,
        @Nullable Instant endedAt,
        @Nullable Instant limitAt,
        JobWork work,
        long generation,
        @Nullable Allocation allocation,
        @Nullable PreparationAllocation grant,
        @Nullable Observed observed,
        long version) {
    /** Share of the work from which a job that is done counts as complete. */
    public static final double COMPLETE = 0.95;

    public StoredJob {
        unmetDependencies = List.copyOf(unmetDependencies);
    }

    /**
     * Kind, owner and names of a job.
     *
     * @param owner responsible owner
     * @param name display name
     * @param externalId id in another system
     * @param labels names and values chosen by the owner
     * @param array its place in an array; null without one
     */
    public record JobDescriptor(
            JobKind kind,
            String tenant,
            String owner,
            String name,
            @Nullable String externalId,
            Map<String, String> labels,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            ArrayMember array) {
        public JobDescriptor {
            labels = Map.copyOf(labels);
        }
    }

    /**
     * Requests of the owner of a job.
     *
     * @param spec specification in the form of its kind; null if it was not read
     * @param command command that executors start; null if executors do not start the job, or if it was not read
     * @param nextCommand command from the next generation on; null if it does not change, or if it was not read
     * @param waitForHardware true if the job may be unsatisfiable on the current nodes
     * @param deviceShare share of one device that the job takes; null for whole devices
     * @param notBefore time before which no round starts the job; null for none
     * @param dependsOn dependencies on other jobs and arrays, met or not
     */
    public record JobRequest(
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            StoredJson spec,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            StoredJson command,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            StoredJson nextCommand,

            @Nullable Instant deadline,
            DeadlineStatus deadlineStatus,
            boolean waitForHardware,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Double deviceShare,

            @Nullable Instant notBefore,
            List<StatedDependency> dependsOn) {
        public JobRequest {
            dependsOn = List.copyOf(dependsOn);
        }
    }

    public JobKind kind() {
        return descriptor.kind();
    }

    public String tenant() {
        return descriptor.tenant();
    }

    public String owner() {
        return descriptor.owner();
    }

    public String name() {
        return descriptor.name();
    }

    public @Nullable String externalId() {
        return descriptor.externalId();
    }

    public Map<String, String> labels() {
        return descriptor.labels();
    }

    /** Returns true if its specification was read. */
    public boolean hasSpec() {
        return request.spec() != null;
    }

    /** Returns true if executors start the job and its command was read. */
    public boolean hasCommand() {
        return request.command() != null;
    }

    /** Returns the command that executors start; null if executors do not start the job, or if it was not read. */
    public @Nullable Command command() {
        return read(request.command());
    }

    public @Nullable Instant deadline() {
        return request.deadline();
    }

    public DeadlineStatus deadlineStatus() {
        return request.deadlineStatus();
    }

    public boolean waitForHardware() {
        return request.waitForHardware();
    }

    public @Nullable Instant notBefore() {
        return request.notBefore();
    }

    public List<StatedDependency> dependsOn() {
        return request.dependsOn();
    }

    /** Returns the command of the next generation; null if executors do not start the job, or if it was not read. */
    public @Nullable Command commandToStart() {
        return read(request.nextCommand() == null ? request.command() : request.nextCommand());
    }

    private static @Nullable Command read(@Nullable StoredJson command) {
        return command == null ? null : command.as(Command.class);
    }

    /**
     * Returns the completed share of the work, from 0 to 1. A job that is done has 1, unless it reported less than
     * {@link #COMPLETE} of its work.
     */
    public double progress() {
        double all = work.estimate();
        double share = all <= 0 ? 0 : Math.min(1, work.done() / all);
        boolean isComplete = state == JobState.DONE && (work.raw() == 0 || all <= 0 || share >= COMPLETE);
        return isComplete ? 1 : share;
    }

    /**
     * Returns the specification of a training job, which must have been read.
     *
     * @throws ProblemException 404 for a data preparation: resources below a job that describe its training do not
     *     exist
     */
    public JobSpec trainingSpec() {
        if (kind() != JobKind.TRAINING) {
            throw ProblemException.of(
                    ProblemType.NOT_FOUND,
                    "Job %s is a data preparation. Only a training job has a profile, predictions and aggregation."
                            .formatted(id));
        }
        return Objects.requireNonNull(request.spec()).as(JobSpec.class);
    }

    /** Returns the specification of a data preparation, which must have been read. */
    public PreparationSpec preparationSpec() {
        return Objects.requireNonNull(request.spec()).as(PreparationSpec.class);
    }

    /** Returns the id of its array; null without one. */
    public @Nullable String arrayId() {
        return descriptor.array() == null ? null : descriptor.array().id();
    }

    /** Returns the time before which no round starts it; null if there is none, or it was reached. */
    public @Nullable Instant awaitedTime() {
        Instant time = notBefore();
        return time != null && since.isBefore(time) ? time : null;
    }

    /** Returns true if the plan has given it resources. */
    public boolean holdsResources() {
        return allocation != null || grant != null;
    }

    /** Returns true if the whole allocation is on one node, so that no member has to wait for another. */
    public boolean isOnOneNode() {
        return allocation != null && allocation.placement().size() == 1;
    }

    /**
     * Work in samples; of a data preparation in seconds with its working set in local memory. Effective samples count
     * progress at the initial batch size; executors count raw samples.
     *
     * @param total effective samples in all; with a target loss, an upper limit
     * @param expected effective samples after which the job is expected to be done, if its target loss or its progress
     *     has changed the estimate; null if {@code total} applies
     * @param done effective samples done
     * @param raw raw samples reported
     * @param reportGeneration generation of the last report; 0 before the first
     * @param reportSeq number of the last report in that generation
     */
    public record JobWork(
            double total, @Nullable Double expected, double done, double raw, long reportGeneration, long reportSeq) {
        /** Returns the effective samples after which the job is expected to be done. */
        public double estimate() {
            return expected == null ? total : expected;
        }

        /** Returns the effective samples that are left, by the current estimate. */
        public double remaining() {
            return Math.max(0, estimate() - done);
        }
    }

    /**
     * Last report.
     *
     * @param state RUNNING, COMPLETED or FAILED
     * @param detail optional text for users
     * @param at time of the report
     * @param lastCheckpointStep step of the last checkpoint; null if none was reported
     */
    public record Observed(
            String state,
            @Nullable String detail,
            Instant at,
            @Nullable Long lastCheckpointStep) {}
}
