package dev.spur.service.connectors;

import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformJob.State;
import dev.spur.connectors.reconcile.PlatformObservation;
import dev.spur.service.connectors.ConnectorJobStore.Row;
import dev.spur.service.jobs.JobReport;
import dev.spur.service.jobs.JobStore;
import dev.spur.service.jobs.StoredJob;
import dev.spur.service.jobs.lifecycle.ProgressService;
import dev.spur.service.web.contract.ProblemException;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Import of the progress that platforms report for their jobs, as if each job had reported its samples. The reports of
 * a job itself take precedence.
 */
@Component
class ProgressImport {
    /** Maximum progress of a job whose platform reports that all is done, but not yet how it ended. */
    private static final double MAX = 0.999;

    /** Relative rounding of samples as doubles. */
    private static final double ROUNDING = 1e-9;

    private final ProgressService progress;
    private final JobStore jobs;
    private final ConnectorJobStore rows;
    /** One transaction per job: a rejected report rolls back its own job only. */
    private final TransactionTemplate transaction;

    ProgressImport(ProgressService progress, JobStore jobs, ConnectorJobStore rows, TransactionTemplate transaction) {
        this.progress = progress;
        this.jobs = jobs;
        this.rows = rows;
        this.transaction = transaction;
    }

    /** Imports the observed progress. */
    void follow(String connector, PlatformObservation seen) {
        Map<String, Row> known = rows.jobs(connector);
        for (PlatformJob job : seen.jobs().values()) {
            Row row = known.get(job.id());
            Optional<Double> samples = job.annotation().value("samples").map(Double::parseDouble);
            if (row != null
                    && row.jobId() != null
                    && job.state() == State.RUNNING
                    && job.progress().isPresent()
                    && samples.isPresent()) {
                double share = Math.min(MAX, job.progress().get());
                carry(connector, job.id(), row.jobId(), share, samples.get(), row.progress());
            }
        }
    }

    private void carry(
            String connector, String platformId, String id, double share, double samples, @Nullable Double before) {
        if (before != null && share == before) {
            return;
        }
        try {
            transaction.executeWithoutResult(status -> jobs.lock(id)
                    .filter(job -> !job.state().hasEnded() && job.allocation() != null)
                    .filter(job -> isOurs(job, (before == null ? 0 : before) * samples))
                    .ifPresent(job -> {
                        rows.progress(connector, platformId, share);
                        progress.takeFromPlatform(id, report(job, share * samples));
                    }));
        } catch (ProblemException conflict) {
            // The job has a new allocation: the next synchronization reports under its new generation.
        }
    }

    /** Returns whether only Spur has reported samples of the job. */
    private static boolean isOurs(StoredJob job, double reported) {
        return Math.abs(job.work().raw() - reported) <= ROUNDING * Math.max(1, reported);
    }

    private static JobReport report(StoredJob job, double samples) {
        long seq =
                job.work().reportGeneration() == job.generation() ? job.work().reportSeq() + 1 : 1;
        return JobReport.ofSamples(job.generation(), seq, samples);
    }
}
