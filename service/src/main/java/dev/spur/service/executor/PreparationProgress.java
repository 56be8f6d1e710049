package dev.spur.service.executor;

import dev.spur.model.Seconds;
import dev.spur.service.contract.ProblemException;
import dev.spur.service.database.DatabaseTime;
import dev.spur.service.job.JobChanges;
import dev.spur.service.job.JobKind;
import dev.spur.service.job.JobReport;
import dev.spur.service.job.JobState;
import dev.spur.service.job.JobStore;
import dev.spur.service.job.StoredJob;
import dev.spur.service.job.lifecycle.JobTermination;
import dev.spur.service.job.lifecycle.ProgressService;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * Applies progress reports of data preparations. Counters are cumulative, so a lost or repeated report does no harm.
 */
@Component
public class PreparationProgress {
    private final JobStore jobs;
    private final JobChanges changes;
    private final JobTermination ending;
    private final AssignmentCompletion failures;
    private final ExecutorProperties properties;
    private final DatabaseTime time;

    PreparationProgress(
            JobStore jobs,
            JobChanges changes,
            JobTermination ending,
            AssignmentCompletion failures,
            ExecutorProperties properties,
            DatabaseTime time) {
        this.jobs = jobs;
        this.changes = changes;
        this.ending = ending;
        this.failures = failures;
        this.properties = properties;
        this.time = time;
    }

    /**
     * The data preparation after a report.
     *
     * @param job its current state
     * @param applied false if the report contained nothing new
     */
    public record PreparationReply(StoredJob job, boolean applied) {}

    /**
     * Applies a report.
     *
     * @throws ProblemException 404 if the job does not exist, 409 if it has another generation, 410 if it has ended,
     *     422 if it is not a data preparation
     */
    @Transactional
    public PreparationReply take(String id, JobReport report) {
        StoredJob job = jobs.lock(id).orElseThrow(() -> ProblemException.notFound("job", id));
        ProgressService.requireKind(job, JobKind.DATA_PREPARATION, "/doneSeconds");
        ProgressService.requireCurrent(job, report.generation());
        boolean isNew = job.work().reportGeneration() != report.generation()
                || report.seq() > job.work().reportSeq();
        if (isNew) {
            changes.report(id, report, Objects.requireNonNull(report.doneSeconds()));
            advance(job, report);
        }
        return new PreparationReply(jobs.find(id).orElseThrow(), isNew);
    }

    private void advance(StoredJob job, JobReport report) {
        Map<String, Object> detail = new HashMap<>(Map.of("generation", job.generation()));
        if (report.detail() != null) {
            detail.put("detail", report.detail());
        }
        switch (report.state()) {
            case "COMPLETED" -> ending.end(job, JobState.DONE, detail);
            case "FAILED" -> failures.handleFailure(job, ranLong(job), detail);
            default -> {}
        }
    }

    private boolean ranLong(StoredJob job) {
        double since = Objects.requireNonNull(job.grant()).since();
        return time.now().toEpochMilli() / 1e3 - since >= Seconds.of(properties.stableAfter());
    }
}
