package dev.spur.service.jobs.lifecycle;

import dev.spur.model.job.JobSpec;
import dev.spur.service.database.RoundTrigger;
import dev.spur.service.jobs.Command;
import dev.spur.service.jobs.JobArrayStore;
import dev.spur.service.jobs.JobArrayStore.ArrayAddition;
import dev.spur.service.jobs.JobArrayStore.NewArray;
import dev.spur.service.jobs.JobStore;
import dev.spur.service.jobs.JobStore.NewJob;
import dev.spur.service.jobs.learning.JobLearning;
import dev.spur.service.jobs.learning.ProfilingStore;
import dev.spur.service.jobs.learning.SpeedLearning;
import dev.spur.service.jobs.lifecycle.JobSubmission.TrainingSubmission;
import dev.spur.service.web.AuditTrail;
import dev.spur.service.web.contract.ProblemException;
import dev.spur.service.web.contract.ProblemType;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.interceptor.TransactionInterceptor;

/** Stores a valid job with its learning state, its audit entry and its trigger. */
@Component
class JobInsertion {
    private final JobStore jobs;
    private final JobArrayStore arrays;
    private final Dependencies dependencies;
    private final SpeedLearning learning;
    private final ProfilingStore profiling;
    private final AuditTrail trail;
    private final RoundTrigger trigger;

    JobInsertion(
            JobStore jobs,
            JobArrayStore arrays,
            Dependencies dependencies,
            SpeedLearning learning,
            ProfilingStore profiling,
            AuditTrail trail,
            RoundTrigger trigger) {
        this.jobs = jobs;
        this.arrays = arrays;
        this.dependencies = dependencies;
        this.learning = learning;
        this.profiling = profiling;
        this.trail = trail;
        this.trigger = trigger;
    }

    /**
     * Inserts the job, or rolls back if the key is used or the cluster has changed.
     *
     * @throws ProblemException 422 if another active job of the tenant has the same checkpoint directory
     */
    @Transactional
    JobStore.Insertion insert(
            JobSubmission submission,
            NewJob job,
            Optional<JobLearning> expected,
            JobStore.@Nullable Claim claim,
            long clusterVersion) {
        String path = submission.command() == null ? null : submission.command().checkpointDir();
        Optional<JobStore.CheckpointUser> user =
                path == null ? Optional.empty() : jobs.lockCheckpoints(submission.tenant(), path, job.id());
        NewJob added = job.awaiting(
                dependencies.unmet(job.descriptor().tenant(), job.request().dependsOn()));
        JobStore.Insertion result = jobs.insert(
                added,
                claim,
                clusterVersion,
                batch -> trail.recordChange(batch, "job", added.id(), null, AuditedJob.ofNew(added)));
        if (result.job() == null) {
            TransactionInterceptor.currentTransactionStatus().setRollbackOnly();
            return result;
        }
        // A repeated submission has returned, since its job is the one that has the directory.
        user.filter(JobStore.CheckpointUser::active).ifPresent(other -> {
            throw ProblemException.of(ProblemType.UNPROCESSABLE, CheckpointMessages.sharedWithActive(other.name()));
        });
        if (submission instanceof TrainingSubmission training) {
            begin(job.id(), training.spec(), expected);
        }
        trigger.requestRound("job submitted");
        return result;
    }

    /**
     * Inserts an array, or rolls back if the key is used or the cluster has changed.
     *
     * @param job each of its jobs
     * @throws ProblemException 422 if another active job of the tenant has one of the checkpoint directories
     */
    @Transactional
    ArrayAddition insert(
            NewArray array,
            TrainingSubmission job,
            Optional<JobLearning> expected,
            JobStore.@Nullable Claim claim,
            long clusterVersion) {
        boolean hasCheckpoints = job.command() != null && job.command().checkpointDir() != null;
        Optional<String> user = hasCheckpoints
                ? arrays.userOf(
                        job.tenant(),
                        array.members().stream()
                                .map(member -> Command.read(Objects.requireNonNull(member.command()))
                                        .checkpointDir())
                                .toList())
                : Optional.empty();
        NewArray added = array.awaiting(dependencies.unmet(job.tenant(), job.dependsOn()));
        ArrayAddition result = arrays.insert(
                added,
                claim,
                clusterVersion,
                batch -> trail.recordChange(batch, "array", array.id(), null, AuditedJob.ofNew(added.job())));
        if (!result.added()) {
            TransactionInterceptor.currentTransactionStatus().setRollbackOnly();
            return result;
        }
        user.ifPresent(other -> {
            throw ProblemException.of(ProblemType.UNPROCESSABLE, CheckpointMessages.sharedWithActive(other));
        });
        String first = array.members().get(0).id();
        begin(first, job.spec(), expected);
        learning.copy(first, array.id());
        profiling.copy(first, array.id());
        trigger.requestRound("array submitted");
        return result;
    }

    private void begin(String job, JobSpec spec, Optional<JobLearning> expected) {
        expected.ifPresent(known -> learning.begin(job, spec, known));
        if (spec.profiling() != null) {
            profiling.allow(job, spec.profiling().slotSeconds());
        }
    }
}
