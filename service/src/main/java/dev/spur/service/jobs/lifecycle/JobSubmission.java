package dev.spur.service.jobs.lifecycle;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.spur.model.Checks;
import dev.spur.model.dataprep.PreparationSpec;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.JobRole;
import dev.spur.model.job.JobSpec;
import dev.spur.service.database.StoredJson;
import dev.spur.service.jobs.Command;
import dev.spur.service.jobs.JobKind;
import dev.spur.service.jobs.JobStore.NewJob;
import dev.spur.service.jobs.StatedDependency;
import dev.spur.service.jobs.StoredJob;
import dev.spur.service.jobs.StoredJob.JobDescriptor;
import dev.spur.service.jobs.StoredJob.JobRequest;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A job as its owner states it. Owners change some of these fields after the submission. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(name = "TRAINING", value = JobSubmission.TrainingSubmission.class),
    @JsonSubTypes.Type(name = "DATA_PREPARATION", value = JobSubmission.PreparationSubmission.class)
})
public sealed interface JobSubmission permits JobSubmission.TrainingSubmission, JobSubmission.PreparationSubmission {
    /** Returns the submission of a job with its present fields; its specification must have been read. */
    static JobSubmission of(StoredJob job) {
        Command command = job.commandToStart();
        return job.kind() == JobKind.TRAINING
                ? new TrainingSubmission(
                        job.tenant(),
                        job.owner(),
                        job.name(),
                        job.externalId(),
                        job.labels(),
                        job.trainingSpec(),
                        command,
                        job.deadline(),
                        job.waitForHardware(),
                        job.notBefore(),
                        job.dependsOn())
                : new PreparationSubmission(
                        job.tenant(),
                        job.owner(),
                        job.name(),
                        job.externalId(),
                        job.labels(),
                        job.preparationSpec(),
                        command,
                        job.deadline(),
                        job.waitForHardware(),
                        job.notBefore(),
                        job.dependsOn());
    }

    /** Returns the name of its tenant. */
    String tenant();

    /** Returns the responsible user or team. */
    String owner();

    /** Returns its display name. */
    String name();

    /** Returns its id in another system; null if it has none. */
    @Nullable
    String externalId();

    /** Returns the names and values set by the owner. */
    Map<String, String> labels();

    /** Returns its specification, which depends on its kind. */
    Object spec();

    /** Returns the command that executors start; null for a job without a command. */
    @Nullable
    Command command();

    /** Returns true to accept a job that no registered hardware can run. */
    boolean waitForHardware();

    /** Returns the time by which it must be done; null for no deadline. */
    @Nullable
    Instant deadline();

    /** Returns the time before which no round starts it; null for none. */
    @Nullable
    Instant notBefore();

    /** Returns its dependencies on other jobs. */
    List<StatedDependency> dependsOn();

    /** Returns its kind. */
    JobKind kind();

    /** Returns its work: effective samples, or seconds of a data preparation with its working set in local memory. */
    double totalWork();

    /** Returns the job that it adds. */
    default NewJob newJob(String id) {
        Command command = command();
        return new NewJob(
                id,
                new JobDescriptor(kind(), tenant(), owner(), name(), externalId(), labels(), null),
                new JobRequest(
                        StoredJson.ofValue(spec()),
                        command == null ? null : StoredJson.ofValue(command),
                        null,
                        deadline(),
                        deadline() == null ? DeadlineStatus.NONE : DeadlineStatus.PENDING,
                        waitForHardware(),
                        spec() instanceof JobSpec training
                                ? training.elasticity().deviceShare()
                                : null,
                        notBefore(),
                        dependsOn()),
                List.of(),
                totalWork());
    }

    /** A training job as its owner states it. */
    public record TrainingSubmission(
            String tenant,
            String owner,
            String name,
            @Nullable String externalId,
            Map<String, String> labels,
            JobSpec spec,
            @Nullable Command command,
            @Nullable Instant deadline,
            boolean waitForHardware,
            @Nullable Instant notBefore,
            List<StatedDependency> dependsOn)
            implements JobSubmission {
        public TrainingSubmission {
            Checks.nonBlank("tenant", tenant);
            Checks.require(
                    spec.family() != null || !spec.profile().points().isEmpty(),
                    "spec (without points of a profile) must name a family");
            Set<String> roles = spec.roles().list().stream().map(JobRole::name).collect(Collectors.toSet());
            Checks.require(
                    command == null || roles.containsAll(command.roles().keySet()),
                    "command (of the roles %s) must name only roles of spec (%s)",
                    command == null ? "" : command.roles().keySet(),
                    roles);
            labels = Checks.copy(labels);
            dependsOn = Checks.copy(dependsOn);
        }

        TrainingSubmission withSpec(JobSpec other) {
            return new TrainingSubmission(
                    tenant,
                    owner,
                    name,
                    externalId,
                    labels,
                    other,
                    command,
                    deadline,
                    waitForHardware,
                    notBefore,
                    dependsOn);
        }

        @Override
        public JobKind kind() {
            return JobKind.TRAINING;
        }

        @Override
        public double totalWork() {
            return spec.totalSamples();
        }
    }

    /** A data preparation as its owner states it. It has no deadline. */
    public record PreparationSubmission(
            String tenant,
            String owner,
            String name,
            @Nullable String externalId,
            Map<String, String> labels,
            PreparationSpec spec,
            @Nullable Command command,
            @Nullable Instant deadline,
            boolean waitForHardware,
            @Nullable Instant notBefore,
            List<StatedDependency> dependsOn)
            implements JobSubmission {
        public PreparationSubmission {
            Checks.nonBlank("tenant", tenant);
            labels = Checks.copy(labels);
            dependsOn = Checks.copy(dependsOn);
            Checks.require(
                    command == null || command.roles().isEmpty(),
                    "command (with roles) must have no roles: a data preparation has none");
            Checks.require(
                    deadline == null, "deadline (%s) must be absent: a data preparation has no deadline", deadline);
        }

        @Override
        public JobKind kind() {
            return JobKind.DATA_PREPARATION;
        }

        @Override
        public double totalWork() {
            return spec.seconds();
        }
    }
}
