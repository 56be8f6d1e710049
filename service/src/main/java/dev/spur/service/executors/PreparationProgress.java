package dev.spur.service.executors;

import dev.spur.model.Seconds;
import dev.spur.service.database.DatabaseTime;
import dev.spur.service.jobs.JobEventDetail.Interruption;
import dev.spur.service.jobs.JobKind;
import dev.spur.service.jobs.JobReport;
import dev.spur.service.jobs.JobState;
import dev.spur.service.jobs.JobStore;
import dev.spur.service.jobs.JobTransitionStore;
import dev.spur.service.jobs.StoredJob;
import dev.spur.service.jobs.lifecycle.JobTermination;
import dev.spur.service.jobs.lifecycle.ProgressService;
import dev.spur.service.web.contract.ProblemException;
import java.util.Objects;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * Applies progress reports of data preparations. Counters are cumulative, so a lost or repeated report does no harm.
 */
@Component
public class PreparationProgress {
    private final JobStore jobs;
    private final JobTransitionStore transitions;
    private final JobTermination ending;
    private final AssignmentCompletion failures;
    private final ExecutorProperties properties;
    private final DatabaseTime time;

    PreparationProgress(
            JobStore jobs,
            JobTransitionStore transitions,
            JobTermination ending,
            AssignmentCompletion failures,
            ExecutorProperties properties,
            DatabaseTime time) {
        this.jobs = jobs;
        this.transitions = transitions;
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
            transitions.report(id, report, Objects.requireNonNull(report.doneSeconds()));
            advance(job, report);
        }
        return new PreparationReply(jobs.find(id).orElseThrow(), isNew);
    }

    private void advance(StoredJob job, JobReport report) {
        Interruption detail = Interruption.ofReport(job.generation(), report.detail());
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
