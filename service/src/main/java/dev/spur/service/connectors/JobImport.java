package dev.spur.service.connectors;

import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformJob.State;
import dev.spur.connectors.PlatformText;
import dev.spur.connectors.reconcile.PlatformObservation;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.JobSpec;
import dev.spur.model.json.RoundJson;
import dev.spur.service.connectors.ConnectorJobStore.Row;
import dev.spur.service.database.RoundTrigger;
import dev.spur.service.jobs.JobEventDetail;
import dev.spur.service.jobs.JobEventDetail.Interruption;
import dev.spur.service.jobs.JobEventKind;
import dev.spur.service.jobs.JobState;
import dev.spur.service.jobs.JobStore;
import dev.spur.service.jobs.JobTransitionStore;
import dev.spur.service.jobs.StoredJob;
import dev.spur.service.jobs.lifecycle.JobSubmissionService;
import dev.spur.service.jobs.lifecycle.JobTermination;
import dev.spur.service.jobs.lifecycle.NodeRequirementLimit;
import dev.spur.service.security.AccessScope;
import dev.spur.service.security.Principal;
import dev.spur.service.security.Role;
import dev.spur.service.web.contract.FieldError;
import dev.spur.service.web.contract.ProblemException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/** Import of jobs of a platform by the regular submission, and of their later states. */
@Component
class JobImport {
    private final JobSubmissionService intake;
    private final JobStore jobs;
    private final JobTransitionStore transitions;
    private final JobTermination ending;
    private final ConnectorJobStore rows;
    private final RoundTrigger trigger;
    /** Nodes that each job excluded and preferred when it was last seen. */
    private final Map<String, PlatformJob.NodeSelection> nodes = new ConcurrentHashMap<>();
    /** One transaction per job: a synchronization must not lock all jobs until its end. */
    private final TransactionTemplate transaction;

    JobImport(
            JobSubmissionService intake,
            JobStore jobs,
            JobTransitionStore transitions,
            JobTermination ending,
            ConnectorJobStore rows,
            RoundTrigger trigger,
            TransactionTemplate transaction) {
        this.intake = intake;
        this.jobs = jobs;
        this.transitions = transitions;
        this.ending = ending;
        this.rows = rows;
        this.trigger = trigger;
        this.transaction = transaction;
    }

    /**
     * Imports new jobs, ends jobs that have ended or are no longer offered, and holds manually overridden ones.
     *
     * @param others jobs on the platform that are manually overridden, or that the platform does not let be changed
     */
    void follow(String connector, JobTranslator translation, PlatformObservation seen, Set<String> others) {
        Map<String, Row> known = rows.jobs(connector);
        for (PlatformJob job : seen.jobs().values()) {
            Row row = known.get(job.id());
            if (row == null || row.jobId() == null) {
                if (waits(job) && job.annotation().offered() && (row == null || !row.fresh())) {
                    takeIn(connector, translation, seen, job);
                } else if (row != null && job.state().hasEnded()) {
                    rows.forget(connector, job.id());
                }
            } else if (!job.state().hasEnded() && !job.isOffered()) {
                withdraw(connector, row.jobId(), job);
            } else {
                boolean off = others.contains(job.id())
                        || (job.state() == State.RUNNING && job.mark().isEmpty());
                follow(connector, row.jobId(), row, job, off);
            }
        }
        rows.recordObservation(connector, seen.jobs().keySet());
        // Not at once: a list may be incomplete while the platform starts.
        known.values().stream()
                .filter(row -> row.gone() && seen.job(row.platformId()).isEmpty())
                .forEach(row -> forget(connector, row));
    }

    private static boolean waits(PlatformJob job) {
        return job.state() == State.HELD || job.state() == State.WAITING;
    }

    private void takeIn(String connector, JobTranslator translation, PlatformObservation seen, PlatformJob job) {
        String reason;
        try {
            reason = unfit(job);
            if (reason.isEmpty()) {
                String id = intake.submit(caller(connector), null, translation.of(job, seen.nodes()))
                        .job()
                        .id();
                rows.write(connector, job.id(), id, null);
                return;
            }
        } catch (JobTranslator.UntranslatableJobException cannot) {
            reason = String.valueOf(cannot.getMessage());
        } catch (ProblemException refused) {
            String there = refused.job().orElse(null);
            if (there != null && isActive(there)) {
                // The job was imported just before a crash.
                rows.write(connector, job.id(), there, null);
                return;
            }
            reason = describe(refused);
        }
        rows.write(connector, job.id(), null, PlatformText.clean(reason));
    }

    /** Returns why a job cannot be imported; empty if it can. */
    private static String unfit(PlatformJob job) {
        return Stream.concat(job.unsupportedReason().stream(), job.annotation().errors().stream())
                .collect(Collectors.joining("; "));
    }

    /** Ends a job that its platform continues without Spur: its slots are unmanaged usage from now on. */
    private void withdraw(String connector, String id, PlatformJob seen) {
        String reason = PlatformText.clean(seen.annotation().offered() ? unfit(seen) : "it is not offered any more");
        transaction.executeWithoutResult(status -> {
            jobs.lock(id)
                    .filter(job -> !job.state().hasEnded())
                    .ifPresent(job -> ending.end(
                            job, JobState.CANCELLED, Interruption.ofPlatform(null, connector, null, reason)));
            rows.forget(connector, seen.id());
            if (seen.annotation().offered()) {
                rows.write(connector, seen.id(), null, reason);
            }
        });
    }

    private boolean isActive(String id) {
        return jobs.find(id).filter(job -> !job.state().hasEnded()).isPresent();
    }

    private static String describe(ProblemException problem) {
        List<FieldError> errors = problem.errors();
        return errors.isEmpty()
                ? problem.getMessage()
                : errors.stream()
                        .map(error -> "%s %s".formatted(error.pointer(), error.message()))
                        .collect(Collectors.joining("; "));
    }

    private static Principal caller(String connector) {
        return new Principal(
                "connector " + connector, Principal.Credential.INTERNAL, Set.of(Role.SUBMITTER), AccessScope.ALL);
    }

    private void follow(String connector, String id, Row row, PlatformJob seen, boolean off) {
        PlatformJob.NodeSelection before = nodes.put(id, seen.nodes());
        boolean sameNodes = seen.nodes().equals(before);
        if (!seen.state().hasEnded() && off == row.handsOff() && sameNodes) {
            return;
        }
        transaction.executeWithoutResult(status -> jobs.lock(id)
                .filter(job -> !job.state().hasEnded())
                .ifPresent(job -> {
                    if (seen.state().hasEnded()) {
                        nodes.remove(id);
                        ending.end(job, endState(seen.state()), detail(connector, seen));
                        return;
                    }
                    if (off != row.handsOff()) {
                        handsOff(connector, job, seen, off);
                    }
                    selectNodes(job, seen);
                }));
    }

    /** Returns the detail of the event of an end, with the cause of a failure as far as the platform reports it. */
    private static Interruption detail(String connector, PlatformJob seen) {
        return seen.training()
                .failure()
                .filter(cause -> seen.state() == State.FAILED)
                .map(cause -> Interruption.ofPlatform(
                        null,
                        connector,
                        cause.exitCode().map(Integer::longValue).orElse(null),
                        PlatformText.clean(cause.message())))
                .orElseGet(() -> Interruption.ofPlatform(null, connector, null, null));
    }

    /**
     * Plans the job on the nodes that its request on the platform admits now. Beyond the limit of different
     * requirements the job keeps its earlier ones, and the platform rejects a start elsewhere.
     */
    private void selectNodes(StoredJob job, PlatformJob seen) {
        JobSpec spec = job.trainingSpec();
        Elasticity elasticity = JobTranslator.onNodes(seen, spec.elasticity());
        if (!elasticity.equals(spec.elasticity())
                && NodeRequirementLimit.errors(jobs, elasticity).isEmpty()) {
            JobSpec after = spec.edit().elasticity(elasticity).build();
            transitions.respecify(job.id(), RoundJson.mapper().writeValueAsString(after), after.totalSamples());
            trigger.requestRound("nodes of a job of a connector");
        }
    }

    private void handsOff(String connector, StoredJob job, PlatformJob seen, boolean off) {
        transitions.hold(job.id(), off);
        transitions.addEvent(
                job.id(),
                off ? JobEventKind.HELD : JobEventKind.RELEASED,
                new JobEventDetail.Author("connector " + connector));
        rows.handsOff(connector, seen.id(), off);
        trigger.requestRound("job of a connector");
    }

    /** Ends a job that its platform no longer lists: its result is unknown, but it no longer runs. */
    private void forget(String connector, Row row) {
        transaction.executeWithoutResult(status -> {
            if (row.jobId() != null) {
                jobs.lock(row.jobId())
                        .filter(job -> !job.state().hasEnded())
                        .ifPresent(job -> ending.end(
                                job,
                                JobState.DONE,
                                Interruption.ofPlatform(null, connector, null, "the platform knows it no more")));
            }
            rows.forget(connector, row.platformId());
        });
    }

    private static JobState endState(State state) {
        return switch (state) {
            case DONE -> JobState.DONE;
            case CANCELLED -> JobState.CANCELLED;
            default -> JobState.FAILED;
        };
    }
}
