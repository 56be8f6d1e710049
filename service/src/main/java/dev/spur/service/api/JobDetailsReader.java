package dev.spur.service.api;

import dev.spur.service.jobs.JobFailure;
import dev.spur.service.jobs.JobFailureStore;
import dev.spur.service.jobs.JobKind;
import dev.spur.service.jobs.StoredJob;
import dev.spur.service.jobs.learning.ChangeCost;
import dev.spur.service.jobs.learning.StallLearning;
import dev.spur.service.jobs.lifecycle.JobSubmission;
import dev.spur.service.jobs.lifecycle.JobWarnings;
import dev.spur.service.jobs.lifecycle.JobWarnings.Warning;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Reads the details of a job. */
@Component
class JobDetailsReader {
    private final JobWarnings warnings;
    private final JobFailureStore failures;
    private final StallLearning stalls;

    JobDetailsReader(JobWarnings warnings, JobFailureStore failures, StallLearning stalls) {
        this.warnings = warnings;
        this.failures = failures;
        this.stalls = stalls;
    }

    /** Returns the details of a job that was just submitted: it has not run, so only its family is read. */
    JobDetails ofNew(JobSubmission submission) {
        return new JobDetails(
                List.of(),
                null,
                submission instanceof JobSubmission.TrainingSubmission training ? stalls.ofNew(training.spec()) : null);
    }

    JobDetails of(StoredJob job) {
        return new JobDetails(
                warnings.of(job.id()),
                failures.of(job.id()).orElse(null),
                job.kind() == JobKind.TRAINING ? stalls.of(job.id(), job.trainingSpec()) : null);
    }

    /** Returns the warnings of those of {@code jobs} that exist, by id. */
    Map<String, List<Warning>> warnings(Collection<StoredJob> jobs) {
        return warnings.of(jobs.stream().map(StoredJob::id).toList());
    }

    /**
     * Details of a job. Lists omit all but the warnings.
     *
     * @param warnings problems of its execution
     * @param failure its last failure; null without one
     * @param stalls stall of each change that it supports; null for a data preparation
     */
    record JobDetails(
            List<Warning> warnings,
            @Nullable JobFailure failure,
            @Nullable List<ChangeCost> stalls) {
        JobDetails {
            warnings = List.copyOf(warnings);
        }

        /** Returns the details in a list. */
        static JobDetails inList(List<Warning> warnings) {
            return new JobDetails(warnings, null, null);
        }

        /** Returns a hash that is equal on every replica. */
        int version() {
            return Objects.hash(
                    warnings.stream().map(warning -> warning.kind().name()).toList(),
                    failure == null ? 0 : failure.version(),
                    stalls == null
                            ? null
                            : stalls.stream().map(ChangeCost::message).toList());
        }
    }
}
