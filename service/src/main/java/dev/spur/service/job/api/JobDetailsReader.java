package dev.spur.service.job.api;

import dev.spur.service.job.JobKind;
import dev.spur.service.job.StoredJob;
import dev.spur.service.job.lifecycle.JobSubmission;
import dev.spur.service.job.lifecycle.JobWarnings;
import dev.spur.service.job.lifecycle.JobWarnings.Warning;
import dev.spur.service.job.logs.JobFailure;
import dev.spur.service.job.logs.JobFailureStore;
import dev.spur.service.performance.ChangeCost;
import dev.spur.service.performance.StallLearning;
import java.util.List;
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
                job.kind() == JobKind.TRAINING ? stalls.of(job.id(), job.readSpec()) : null);
    }

    /**
     * Parts of the view of a single job that lists omit.
     *
     * @param warnings problems of its execution; null in lists
     * @param failure its last failure; null without one
     * @param stalls stall of each change that it supports; null for a data preparation
     */
    record JobDetails(
            @Nullable List<Warning> warnings,
            @Nullable JobFailure failure,
            @Nullable List<ChangeCost> stalls) {
        /** Details in a list. */
        static final JobDetails OMITTED = new JobDetails(null, null, null);

        /** Returns a hash that is equal on every replica. */
        int version() {
            return Objects.hash(
                    warnings == null
                            ? null
                            : warnings.stream()
                                    .map(warning -> warning.kind().name())
                                    .toList(),
                    failure == null ? 0 : failure.version(),
                    stalls == null
                            ? null
                            : stalls.stream().map(ChangeCost::message).toList());
        }
    }
}
