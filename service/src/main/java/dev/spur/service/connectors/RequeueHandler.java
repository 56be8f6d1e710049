package dev.spur.service.connectors;

import dev.spur.connectors.PlatformJob.State;
import dev.spur.connectors.reconcile.ActionRecord;
import dev.spur.connectors.reconcile.PlatformObservation;
import dev.spur.service.jobs.JobEventDetail.Interruption;
import dev.spur.service.jobs.JobStore;
import dev.spur.service.jobs.JobTransitionStore;
import dev.spur.service.jobs.lifecycle.JobTermination;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Requeue of jobs that a plan starts and the platform does not: otherwise later plans would rely on their resources.
 */
@Component
class RequeueHandler {
    /** Pause after the first failed start of a job; each further one in a row doubles it. */
    private static final double PAUSE_SECONDS = 60;

    private static final int MAX_DOUBLINGS = 5;

    private final ConnectorActionStore actions;
    private final ConnectorJobStore rows;
    private final JobStore jobs;
    private final JobTransitionStore transitions;
    private final JobTermination ending;
    /** One transaction per job: a synchronization must not lock all jobs until its end. */
    private final TransactionTemplate transaction;

    RequeueHandler(
            ConnectorActionStore actions,
            ConnectorJobStore rows,
            JobStore jobs,
            JobTransitionStore transitions,
            JobTermination ending,
            TransactionTemplate transaction) {
        this.actions = actions;
        this.rows = rows;
        this.jobs = jobs;
        this.transitions = transitions;
        this.ending = ending;
        this.transaction = transaction;
    }

    /** Requeues jobs whose start was rejected or abandoned. */
    void afterRefusals(String connector, PlatformObservation seen) {
        rows.jobs(connector).values().forEach(row -> {
            String id = row.jobId();
            boolean waits = seen.job(row.platformId())
                    .filter(job -> job.state() != State.RUNNING && !job.state().hasEnded())
                    .isPresent();
            if (id != null && waits) {
                actions.lastOf(connector, row.platformId())
                        .filter(last ->
                                last.state() == ActionRecord.State.REFUSED || last.state() == ActionRecord.State.FAILED)
                        .filter(last -> last.action().kind().runs())
                        .ifPresent(last -> requeue(connector, id, last));
            }
        });
    }

    private void requeue(String connector, String id, ActionRecord last) {
        int doublings = Math.min(
                MAX_DOUBLINGS, actions.failedStarts(connector, last.action().job()) - 1);
        transaction.executeWithoutResult(status -> jobs.lock(id)
                .filter(job -> job.allocation() != null && !job.state().hasEnded())
                .ifPresent(job -> ending.requeue(
                        job,
                        transitions.failures(id),
                        PAUSE_SECONDS * Math.pow(2, Math.max(0, doublings)),
                        Interruption.ofPlatform("PLATFORM", connector, null, last.detail()))));
    }
}
