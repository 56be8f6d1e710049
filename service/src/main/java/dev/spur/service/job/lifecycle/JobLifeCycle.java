package dev.spur.service.job.lifecycle;

import dev.spur.model.dataprep.PreparationSpec;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.JobSpec;
import dev.spur.model.json.RoundJson;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.service.audit.AuditTrail;
import dev.spur.service.contract.EntityTag;
import dev.spur.service.contract.FieldError;
import dev.spur.service.contract.ProblemException;
import dev.spur.service.contract.ProblemType;
import dev.spur.service.job.Command;
import dev.spur.service.job.JobChanges;
import dev.spur.service.job.JobState;
import dev.spur.service.job.JobStore;
import dev.spur.service.job.StoredJob;
import dev.spur.service.job.lifecycle.JobSubmission.PreparationSubmission;
import dev.spur.service.job.lifecycle.JobSubmission.TrainingSubmission;
import dev.spur.service.performance.SpeedLearning;
import dev.spur.service.trigger.RoundTrigger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
public class JobLifeCycle {
    private final JobStore jobs;
    private final JobChanges changes;
    private final JobTermination ending;
    private final JobRequirements requirements;
    private final SpeedLearning learning;
    private final RoundTrigger trigger;
    private final AuditTrail trail;

    JobLifeCycle(
            JobStore jobs,
            JobChanges changes,
            JobTermination ending,
            JobRequirements requirements,
            SpeedLearning learning,
            RoundTrigger trigger,
            AuditTrail trail) {
        this.jobs = jobs;
        this.changes = changes;
        this.ending = ending;
        this.requirements = requirements;
        this.learning = learning;
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
            ending.end(job, JobState.CANCELLED, Map.of("by", caller));
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
            if (job.allocation() != null && !job.readSpec().preemptible()) {
                throw ProblemException.of(ProblemType.NOT_PREEMPTIBLE, "The job runs, and it is not preemptible.");
            }
            changes.hold(id, true);
            changes.addEvent(id, "HELD", Map.of("by", caller));
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
            changes.hold(id, false);
            changes.addEvent(id, "RELEASED", Map.of("by", caller));
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
            describe(job, after);
            if (!after.dependsOn().equals(job.dependsOn())) {
                changes.await(id, requirements.unfinishedDependencies(job, after.dependsOn()));
            }
            recommand(job, after.command());
            if (after instanceof TrainingSubmission training) {
                changeSpec(job, training.spec());
            } else if (after instanceof PreparationSubmission preparation) {
                changeSpec(job, preparation.spec());
            }
            changes.addEvent(id, "CHANGED", Map.of("what", "job"));
            trigger.requestRound("job changed");
        });
    }

    /** Replaces the profile of a job if {@code ifMatch} names its current version. */
    public StoredJob replaceProfile(String id, Optional<String> ifMatch, ThroughputProfile profile) {
        return change(id, job -> {
            requireActive(job);
            JobSpec before = job.readSpec();
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
            changes.addEvent(id, "CHANGED", Map.of("what", "profile"));
            trigger.requestRound("profile changed");
        });
    }

    private void changeSpec(StoredJob job, JobSpec after) {
        JobSpec before = job.readSpec();
        if (!after.equals(before)) {
            requirements.requireGroupAccepts(job, before, after);
            requirements.requireFeasible(job, after);
            respecify(job, after);
        }
    }

    private void changeSpec(StoredJob job, PreparationSpec after) {
        PreparationSpec before = job.readPreparation();
        if (!after.equals(before)) {
            requireSamePlacement(job, before, after);
            requirements.requireFeasible(job, after);
            changes.respecify(job.id(), RoundJson.mapper().writeValueAsString(after), after.seconds());
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
        DeadlineStatus deadlineStatus = sameDeadline
                ? job.deadlineStatus()
                : after.deadline() == null ? DeadlineStatus.NONE : DeadlineStatus.PENDING;
        changes.describe(job.id(), after.name(), after.labels(), after.deadline(), deadlineStatus);
    }

    private void recommand(StoredJob job, @Nullable Command after) {
        String before = job.commandToStart();
        if (after != null && before != null && !after.equals(Command.read(before))) {
            changes.command(job.id(), RoundJson.mapper().writeValueAsString(after));
        }
    }

    private void respecify(StoredJob job, JobSpec spec) {
        changes.respecify(job.id(), RoundJson.mapper().writeValueAsString(spec), spec.totalSamples());
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

    static int slots(StoredJob job) {
        return job.allocation() == null ? 0 : job.allocation().configuration().slots();
    }
}
