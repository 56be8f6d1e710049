package dev.spur.service.job.api;

import dev.spur.service.job.JobKind;
import dev.spur.service.job.StoredJob;
import dev.spur.service.job.lifecycle.JobWarnings;
import dev.spur.service.job.logs.JobFailureStore;
import dev.spur.service.performance.StallLearning;
import java.util.List;
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
    JobDetails ofNew(StoredJob job) {
        return new JobDetails(List.of(), null, job.kind() == JobKind.TRAINING ? stalls.ofNew(job.readSpec()) : null);
    }

    JobDetails of(StoredJob job) {
        return new JobDetails(
                warnings.of(job.id()),
                failures.of(job.id()).orElse(null),
                job.kind() == JobKind.TRAINING ? stalls.of(job.id(), job.readSpec()) : null);
    }
}
