package dev.spur.service.job;

import dev.spur.model.job.JobSpec;
import dev.spur.model.json.RoundJson;
import dev.spur.prediction.job.Prediction.RiskAttitude;
import dev.spur.service.audit.AuditTrail;
import dev.spur.service.contract.FieldError;
import dev.spur.service.contract.ProblemException;
import dev.spur.service.contract.ProblemType;
import dev.spur.service.performance.SpeedLearning;
import dev.spur.service.round.RoundTrigger;
import dev.spur.service.security.Principal;
import dev.spur.service.security.Sha256;
import dev.spur.service.store.DatabaseTime;
import dev.spur.service.store.JobLearning;
import dev.spur.service.store.JobStore;
import dev.spur.service.store.NewJob;
import dev.spur.service.store.ProfilingStore;
import dev.spur.service.store.StoredJob;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/** Takes jobs in: each one once, and none that can never run. */
@Component
public class JobSubmissionService {
    private final JobStore jobs;
    private final ClusterInventoryCache hardware;
    private final SpeedLearning learning;
    private final ProfilingStore profiling;
    private final Dependencies dependencies;
    private final TransactionTemplate transaction;
    private final RoundTrigger trigger;
    private final AuditTrail trail;
    private final DatabaseTime time;

    JobSubmissionService(
            JobStore jobs,
            ClusterInventoryCache hardware,
            SpeedLearning learning,
            ProfilingStore profiling,
            Dependencies dependencies,
            TransactionTemplate transaction,
            RoundTrigger trigger,
            AuditTrail trail,
            DatabaseTime time) {
        this.jobs = jobs;
        this.hardware = hardware;
        this.learning = learning;
        this.profiling = profiling;
        this.dependencies = dependencies;
        this.transaction = transaction;
        this.trigger = trigger;
        this.trail = trail;
        this.time = time;
    }

    /**
     * What became of a submission.
     *
     * @param job the job
     * @param replayed true if an earlier submission with the same key made it
     */
    public record Outcome(StoredJob job, boolean replayed) {}

    /**
     * Takes a job in. When this returns, it is on disk.
     *
     * @param key makes the submission idempotent for this caller; null if it need not be
     * @throws ProblemException if it is refused
     */
    public Outcome submit(Principal caller, @Nullable String key, JobSubmission submission) {
        if (!caller.reach().covers(submission.tenant())) {
            throw ProblemException.of(ProblemType.UNPROCESSABLE, errorsWithoutTenant(submission));
        }
        NewJob job = newJob(submission);
        JobStore.Claim claim =
                key == null ? null : new JobStore.Claim(caller.name(), key, fingerprint(submission, job));
        return submit(submission, job, claim, hardware.last());
    }

    /** Judges by what was last known to be registered; if that has changed, the database tells, and it is judged again. */
    private Outcome submit(
            JobSubmission submission,
            NewJob job,
            JobStore.@Nullable Claim claim,
            ClusterInventoryCache.CachedInventory seen) {
        Optional<JobLearning> expected = learning.before(submission.spec());
        Optional<ProblemException> refusal =
                refusal(submission, believed(submission.spec(), expected), seen.hardware());
        JobStore.Insertion insertion = refusal.isPresent()
                ? JobStore.Insertion.UNTRIED
                : insertUnlessOvertaken(submission.spec(), job, expected, claim, seen.version());
        if (insertion.job() != null) {
            return new Outcome(insertion.job(), false);
        }
        if (!insertion.current()) {
            ClusterInventoryCache.CachedInventory now = hardware.now();
            if (now.version() != seen.version()) {
                return submit(submission, job, claim, now);
            }
        }
        return replay(claim).orElseThrow(() -> refusal.orElseGet(() -> taken(submission)));
    }

    /** A tenant or group that goes at the same moment is found missing by the database alone. */
    private JobStore.Insertion insertUnlessOvertaken(
            JobSpec spec,
            NewJob job,
            Optional<JobLearning> expected,
            JobStore.@Nullable Claim claim,
            long clusterVersion) {
        try {
            return insert(spec, job, expected, claim, clusterVersion);
        } catch (DataIntegrityViolationException gone) {
            if (hardware.now().version() == clusterVersion) {
                throw gone;
            }
            return JobStore.Insertion.UNTRIED;
        }
    }

    /** The specification with the speeds that rounds will believe in. */
    private static JobSpec believed(JobSpec spec, Optional<JobLearning> expected) {
        return expected.map(known -> spec.withSpeed(known.predicted().profile(RiskAttitude.EVEN), spec.efficiency()))
                .orElse(spec);
    }

    private JobStore.Insertion insert(
            JobSpec spec,
            NewJob job,
            Optional<JobLearning> expected,
            JobStore.@Nullable Claim claim,
            long clusterVersion) {
        return Objects.requireNonNull(transaction.execute(status -> {
            JobStore.Insertion result = jobs.insert(
                    job.awaiting(dependencies.unfinished(job.tenant(), job.awaits())), claim, clusterVersion);
            if (result.job() != null) {
                expected.ifPresent(known -> learning.begin(job.id(), spec, known));
                if (spec.profiling() != null) {
                    profiling.allow(job.id(), spec.profiling().slotSeconds());
                }
                trail.changed("job", job.id(), null, AuditedJob.of(result.job()));
                trigger.changed("job submitted");
            } else {
                status.setRollbackOnly();
            }
            return result;
        }));
    }

    private Optional<ProblemException> refusal(JobSubmission submission, JobSpec believed, ClusterInventory now) {
        List<FieldError> errors =
                now.hasTenant(submission.tenant()) ? errorsWithin(submission, now) : errorsWithoutTenant(submission);
        if (!errors.isEmpty()) {
            return Optional.of(ProblemException.of(ProblemType.UNPROCESSABLE, errors));
        }
        List<String> reasons = submission.waitForHardware()
                ? List.of()
                : SubmissionRules.reasonsAgainst(now, submission.tenant(), believed);
        return reasons.isEmpty() ? Optional.empty() : Optional.of(neverFits(reasons));
    }

    private List<FieldError> errorsWithin(JobSubmission submission, ClusterInventory now) {
        List<FieldError> errors = new ArrayList<>(
                now.errorsOfGroup(submission.tenant(), submission.spec().group()));
        errors.addAll(dependencies.errors(submission.tenant(), submission.awaits()));
        errors.addAll(errorsOfDeadline(submission));
        return errors;
    }

    /** Of a job for a tenant that there is not, or that is out of the caller's reach, which is answered alike. */
    private List<FieldError> errorsWithoutTenant(JobSubmission submission) {
        List<FieldError> errors = new ArrayList<>();
        errors.add(FieldError.at("/tenant", "there is no tenant " + submission.tenant()));
        errors.addAll(errorsOfDeadline(submission));
        return errors;
    }

    private List<FieldError> errorsOfDeadline(JobSubmission submission) {
        return submission.deadline() != null && submission.deadline().isBefore(time.now())
                ? List.of(FieldError.at("/deadline", "has passed already"))
                : List.of();
    }

    static ProblemException neverFits(List<String> reasons) {
        return ProblemException.of(
                        ProblemType.NEVER_FITS,
                        "The job can never run on the registered hardware. "
                                + "With waitForHardware it may wait for other hardware.")
                .withReasons(reasons);
    }

    /** The job that the key has made already; empty if it has made none. */
    private Optional<Outcome> replay(JobStore.@Nullable Claim claim) {
        if (claim == null) {
            return Optional.empty();
        }
        return jobs.claimed(claim.caller(), claim.key()).map(earlier -> {
            if (!earlier.fingerprint().equals(claim.fingerprint())) {
                throw ProblemException.of(
                                ProblemType.IDEMPOTENCY_KEY_REUSED,
                                FieldError.inHeader("Idempotency-Key", "was used for another submission"))
                        .withJob(earlier.jobId());
            }
            return new Outcome(jobs.find(earlier.jobId()).orElseThrow(), true);
        });
    }

    private ProblemException taken(JobSubmission submission) {
        String externalId = String.valueOf(submission.externalId());
        ProblemException problem = ProblemException.of(
                ProblemType.ALREADY_EXISTS,
                FieldError.at(
                        "/externalId", "is that of another job of tenant %s already".formatted(submission.tenant())));
        jobs.byExternalId(submission.tenant(), externalId)
                .ifPresent(id -> problem.withJob(id).withLocation("/api/v1/jobs/" + id));
        return problem;
    }

    private static NewJob newJob(JobSubmission submission) {
        return new NewJob(
                UUID.randomUUID().toString(),
                submission.tenant(),
                submission.owner(),
                submission.name(),
                submission.externalId(),
                submission.labels(),
                RoundJson.mapper().writeValueAsString(submission.spec()),
                commandOf(submission),
                submission.spec().totalSamples(),
                submission.deadline(),
                submission.waitForHardware(),
                submission.awaits());
    }

    private static @Nullable String commandOf(JobSubmission submission) {
        Command command = submission.command();
        return command == null ? null : RoundJson.mapper().writeValueAsString(command);
    }

    /** Equal submissions, however they were written, have equal fingerprints. */
    private static String fingerprint(JobSubmission submission, NewJob job) {
        String rest = RoundJson.mapper()
                .writeValueAsString(List.of(
                        job.tenant(),
                        job.owner(),
                        job.name(),
                        Optional.ofNullable(job.externalId()),
                        Optional.ofNullable(job.command()),
                        submission.labels(),
                        String.valueOf(job.deadline()),
                        job.waitForHardware()));
        // nothing is added where nothing is awaited: keys from before jobs could wait are known again
        return Sha256.hex(job.spec() + rest + String.join("", job.awaits()));
    }
}
