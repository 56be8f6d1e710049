package dev.spur.service.job;

import dev.spur.service.job.StoredJob.JobDescriptor;
import dev.spur.service.job.StoredJob.JobRequest;
import java.util.List;

/**
 * Job at submission.
 *
 * @param totalWork work in effective samples; of a data preparation in seconds
 */
public record NewJob(String id, JobDescriptor descriptor, JobRequest request, double totalWork) {
    /** Returns this job with the dependencies {@code others}. */
    public NewJob awaiting(List<String> others) {
        return new NewJob(id, descriptor, request.awaiting(others), totalWork);
    }
}
