package dev.spur.service.job.lifecycle;

import dev.spur.model.job.JobSpec;
import dev.spur.service.audit.AuditTrail;
import dev.spur.service.job.JobStore;
import dev.spur.service.job.JobStore.NewJob;
import dev.spur.service.job.lifecycle.JobSubmission.TrainingSubmission;
import dev.spur.service.performance.JobLearning;
import dev.spur.service.performance.ProfilingStore;
import dev.spur.service.performance.SpeedLearning;
import dev.spur.service.trigger.RoundTrigger;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.interceptor.TransactionInterceptor;

/** Stores a valid job with its learning state, its audit entry and its trigger. */
@Component
class JobInsertion {
    private final JobStore jobs;
    private final Dependencies dependencies;
    private final SpeedLearning learning;
    private final ProfilingStore profiling;
    private final AuditTrail trail;
    private final RoundTrigger trigger;

    JobInsertion(
            JobStore jobs,
            Dependencies dependencies,
            SpeedLearning learning,
            ProfilingStore profiling,
            AuditTrail trail,
            RoundTrigger trigger) {
        this.jobs = jobs;
        this.dependencies = dependencies;
        this.learning = learning;
        this.profiling = profiling;
        this.trail = trail;
        this.trigger = trigger;
    }

    /** Inserts the job, or rolls back if the key is used or the cluster has changed. */
    @Transactional
    JobStore.Insertion insert(
            JobSubmission submission,
            NewJob job,
            Optional<JobLearning> expected,
            JobStore.@Nullable Claim claim,
            long clusterVersion) {
        NewJob added = job.awaiting(dependencies.unfinishedDependencies(
                job.descriptor().tenant(), job.request().dependsOn()));
        JobStore.Insertion result = jobs.insert(
                added,
                claim,
                clusterVersion,
                batch -> trail.recordChange(batch, "job", added.id(), null, AuditedJob.ofNew(added)));
        if (result.job() == null) {
            TransactionInterceptor.currentTransactionStatus().setRollbackOnly();
            return result;
        }
        if (submission instanceof TrainingSubmission training) {
            begin(job.id(), training.spec(), expected);
        }
        trigger.requestRound("job submitted");
        return result;
    }

    private void begin(String job, JobSpec spec, Optional<JobLearning> expected) {
        expected.ifPresent(known -> learning.begin(job, spec, known));
        if (spec.profiling() != null) {
            profiling.allow(job, spec.profiling().slotSeconds());
        }
    }
}
