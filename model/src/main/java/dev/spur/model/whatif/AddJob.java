package dev.spur.model.whatif;

import dev.spur.model.Checks;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.ServiceHistory;
import dev.spur.model.json.Rfc3339;
import dev.spur.model.round.RoundProblem;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.annotation.JsonSerialize;

/**
 * A new job that arrives at the time of the problem.
 *
 * @param job id that no other job and no preparation has
 * @param tenant name of its tenant
 * @param spec its specification
 * @param deadline time by which it must finish, seconds on the clock of the problem; null for no deadline
 */
public record AddJob(
        String job,
        String tenant,
        JobSpec spec,

        @JsonSerialize(using = Rfc3339.TimeSerializer.class)
        @JsonDeserialize(using = Rfc3339.TimeDeserializer.class)
        @Nullable
        Double deadline)
        implements Change {
    public AddJob {
        Checks.nonBlank("job", job);
        Checks.nonBlank("tenant", tenant);
    }

    @Override
    public RoundProblem applyTo(RoundProblem problem, WithheldJobs withheldJobs) {
        new ChangeValidator(problem, withheldJobs)
                .isNew("job", job)
                .tenant(tenant)
                .group(spec.group(), tenant)
                .throwIfInvalid();
        List<Job> jobs = new ArrayList<>(problem.jobs());
        jobs.add(new Job(
                job,
                tenant,
                problem.now(),
                spec,
                spec.totalSamples(),
                deadline,
                deadline == null ? DeadlineStatus.NONE : DeadlineStatus.PENDING,
                ServiceHistory.ofArrival(problem.now()),
                null));
        return problem.withJobs(jobs);
    }

    @Override
    public String describe() {
        return "add job %s of tenant %s".formatted(job, tenant);
    }
}
