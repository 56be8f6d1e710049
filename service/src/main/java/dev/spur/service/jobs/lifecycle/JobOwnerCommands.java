package dev.spur.service.jobs.lifecycle;

import dev.spur.model.dataprep.PreparationSpec;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.JobSpec;
import dev.spur.model.json.RoundJson;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.service.database.DatabaseTime;
import dev.spur.service.database.RoundTrigger;
import dev.spur.service.jobs.Command;
import dev.spur.service.jobs.JobEventDetail;
import dev.spur.service.jobs.JobEventKind;
import dev.spur.service.jobs.JobState;
import dev.spur.service.jobs.JobStore;
import dev.spur.service.jobs.JobTransitionStore;
import dev.spur.service.jobs.StoredJob;
import dev.spur.service.jobs.learning.SpeedLearning;
import dev.spur.service.jobs.lifecycle.JobSubmission.PreparationSubmission;
import dev.spur.service.jobs.lifecycle.JobSubmission.TrainingSubmission;
import dev.spur.service.web.AuditTrail;
import dev.spur.service.web.contract.EntityTag;
import dev.spur.service.web.contract.FieldError;
import dev.spur.service.web.contract.ProblemException;
import dev.spur.service.web.contract.ProblemType;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** Lifecycle operations of job owners. Each method is one transaction that has locked the job. */
@Component
@Transactional
public class JobOwnerCommands {
    private static final String AFTER_START = "cannot be changed after the start of the job";

    private final JobStore jobs;
    private final JobTransitionStore transitions;
    private final JobTermination ending;
    private final JobRequirements requirements;
    private final SpeedLearning learning;
    private final DatabaseTime time;
    private final RoundTrigger trigger;
    private final AuditTrail trail;

    JobOwnerCommands(
            JobStore jobs,
            JobTransitionStore transitions,
            JobTermination ending,
            JobRequirements requirements,
            SpeedLearning learning,
            DatabaseTime time,
            RoundTrigger trigger,
            AuditTrail trail) {
        this.jobs = jobs;
        this.transitions = transitions;
        this.ending = ending;
        this.requirements = requirements;
        this.learning = learning;
        this.time = time;
        this.trigger = trigger;
        this.trail = trail;
    }

    /** Cancels a job. Its progress is kept; canceling a canceled job changes nothing. */
    public StoredJob cancel(String id, String caller) {
        return change(id, job -> {
            if (job.state() == JobState.CANCELLED) {
                return;
            }
            requireActive(job);
            ending.end(job, JobState.CANCELLED, new JobEventDetail.Author(caller));
        });
    }

    /** Holds a job, so that no round starts it. */
    public StoredJob hold(String id, String caller) {
        return change(id, job -> {
            requireActive(job);
            if (job.held()) {
                return;
            }
            if (job.grant() != null) {
                throw ProblemException.of(
                        ProblemType.NOT_PREEMPTIBLE, "A running data preparation cannot be held; it can be canceled.");
            }
            if (job.allocation() != null && !job.trainingSpec().preemptible()) {
                throw ProblemException.of(ProblemType.NOT_PREEMPTIBLE, "The job runs, and it is not preemptible.");
            }
            transitions.hold(id, true);
            transitions.addEvent(id, JobEventKind.HELD, new JobEventDetail.Author(caller));
            trigger.requestRound("job held");
        });
    }

    /** Releases a held job. */
    public StoredJob release(String id, String caller) {
        return change(id, job -> {
            requireActive(job);
            if (!job.held()) {
                return;
            }
            transitions.hold(id, false);
            transitions.addEvent(id, JobEventKind.RELEASED, new JobEventDetail.Author(caller));
            trigger.requestRound("job released");
        });
    }

    /**
     * Changes a job if {@code ifMatch} names its current version.
     *
     * @param edit returns the changed submission; its kind, tenant, owner, external id and {@code waitForHardware} are
     *     those of the job
     */
    public StoredJob edit(String id, Optional<String> ifMatch, Function<StoredJob, JobSubmission> edit) {
        return change(id, job -> {
            EntityTag.of(job.version()).require(ifMatch);
            requireActive(job);
            JobSubmission after = edit.apply(job);
            requireSameStart(job, after);
            describe(job, after);
            if (!after.dependsOn().equals(job.dependsOn())) {
                requirements.replaceDependencies(job, after.dependsOn());
            }
            if (!Objects.equals(after.notBefore(), job.notBefore())) {
                transitions.postpone(id, after.notBefore());
            }
            recommand(job, after.command());
            if (after instanceof TrainingSubmission training) {
                changeSpec(job, training.spec());
            } else if (after instanceof PreparationSubmission preparation) {
                changeSpec(job, preparation.spec());
            }
            transitions.addEvent(id, JobEventKind.CHANGED, new JobEventDetail.Edit("job"));
            trigger.requestRound("job changed");
        });
    }

    /** Replaces the profile of a job if {@code ifMatch} names its current version. */
    public StoredJob replaceProfile(String id, Optional<String> ifMatch, ThroughputProfile profile) {
        return change(id, job -> {
            requireActive(job);
            JobSpec before = job.trainingSpec();
            JobSpec after = before.withSpeed(profile, before.efficiency());
            EntityTag tag = EntityTag.of(job.version());
            if (after.equals(before)) {
                tag.allow(ifMatch);
                return;
            }
            tag.require(ifMatch);
            if (after.family() == null && profile.points().isEmpty()) {
                throw ProblemException.of(
                        ProblemType.UNPROCESSABLE,
                        FieldError.at("/points", "may be empty only if the job has a family"));
            }
            requirements.requireFeasible(job, after);
            respecify(job, after);
            transitions.addEvent(id, JobEventKind.CHANGED, new JobEventDetail.Edit("profile"));
            trigger.requestRound("profile changed");
        });
    }

    private void changeSpec(StoredJob job, JobSpec edited) {
        JobSpec before = job.trainingSpec();
        JobSpec after = requirements.withDivisibleBatch(before, edited);
        if (!after.equals(before)) {
            requirements.requireGroupAccepts(job, before, after);
            requirements.requireFeasible(job, after);
            respecify(job, after);
        }
    }

    private void changeSpec(StoredJob job, PreparationSpec after) {
        PreparationSpec before = job.preparationSpec();
        if (!after.equals(before)) {
            requireSamePlacement(job, before, after);
            requirements.requireFeasible(job, after);
            transitions.respecify(job.id(), RoundJson.mapper().writeValueAsString(after), after.seconds());
        }
    }

    /** Requires that the members that decide when a job may start do not change after its start. */
    private static void requireSameStart(StoredJob job, JobSubmission after) {
        if (!job.holdsResources() && job.state() != JobState.COMPLETING) {
            return;
        }
        List<FieldError> errors = new ArrayList<>();
        if (!Objects.equals(job.notBefore(), after.notBefore())) {
            errors.add(FieldError.at("/notBefore", AFTER_START));
        }
        if (!job.dependsOn().equals(after.dependsOn())) {
            errors.add(FieldError.at("/dependsOn", AFTER_START));
        }
        if (!errors.isEmpty()) {
            throw ProblemException.of(ProblemType.CONFLICT, errors);
        }
    }

    /** Requires that the members that decide where a data preparation fits do not change while it runs. */
    private static void requireSamePlacement(StoredJob job, PreparationSpec before, PreparationSpec after) {
        if (job.grant() == null) {
            return;
        }
        List<FieldError> errors = new ArrayList<>();
        requireSame(errors, "/spec/pools", before.pools(), after.pools());
        requireSame(errors, "/spec/cpus", before.cpus(), after.cpus());
        requireSame(errors, "/spec/workingSetGiB", before.workingSetGiB(), after.workingSetGiB());
        requireSame(errors, "/spec/minLocalFraction", before.minLocalFraction(), after.minLocalFraction());
        requireSame(errors, "/spec/slowDown", before.slowDown(), after.slowDown());
        if (!errors.isEmpty()) {
            throw ProblemException.of(ProblemType.CONFLICT, errors);
        }
    }

    private static void requireSame(List<FieldError> errors, String pointer, Object before, Object after) {
        if (!before.equals(after)) {
            errors.add(FieldError.at(pointer, "cannot be changed while it runs"));
        }
    }

    private void describe(StoredJob job, JobSubmission after) {
        boolean sameDeadline = Objects.equals(after.deadline(), job.deadline());
        if (sameDeadline && after.name().equals(job.name()) && after.labels().equals(job.labels())) {
            return;
        }
        if (!sameDeadline && after.deadline() != null && after.deadline().isBefore(time.now())) {
            throw ProblemException.of(ProblemType.UNPROCESSABLE, FieldError.at("/deadline", "is in the past"));
        }
        DeadlineStatus deadlineStatus = sameDeadline
                ? job.deadlineStatus()
                : after.deadline() == null ? DeadlineStatus.NONE : DeadlineStatus.PENDING;
        transitions.describe(job.id(), after.name(), after.labels(), after.deadline(), deadlineStatus);
    }

    private void recommand(StoredJob job, @Nullable Command after) {
        Command before = job.commandToStart();
        if (after != null && before != null && !after.equals(before)) {
            String path = after.checkpointDir();
            if (path != null && !path.equals(before.checkpointDir())) {
                jobs.lockCheckpoints(job.tenant(), path, job.id()).ifPresent(other -> {
                    throw ProblemException.of(
                            ProblemType.UNPROCESSABLE, CheckpointMessages.changedToThatOf(other.name()));
                });
            }
            transitions.command(job.id(), RoundJson.mapper().writeValueAsString(after));
        }
    }

    private void respecify(StoredJob job, JobSpec spec) {
        transitions.respecify(job.id(), RoundJson.mapper().writeValueAsString(spec), spec.totalSamples());
        learning.renew(job.id(), spec);
    }

    private StoredJob change(String id, Consumer<StoredJob> work) {
        StoredJob job = jobs.lock(id).orElseThrow(() -> ProblemException.notFound("job", id));
        work.accept(job);
        StoredJob after = jobs.find(id).orElseThrow();
        trail.recordChange("job", id, AuditedJob.of(job), AuditedJob.of(after));
        return after;
    }

    private static void requireActive(StoredJob job) {
        if (job.state().hasEnded()) {
            throw ProblemException.of(ProblemType.JOB_ENDED, "The job is " + job.state() + ".");
        }
    }
}
