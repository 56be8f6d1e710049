package dev.spur.service.jobs.lifecycle;

import dev.spur.model.job.JobSpec;
import dev.spur.model.json.RoundJson;
import dev.spur.prediction.job.Prediction.RiskAttitude;
import dev.spur.service.cluster.SettingsStore;
import dev.spur.service.database.DatabaseTime;
import dev.spur.service.jobs.JobStore;
import dev.spur.service.jobs.JobStore.NewJob;
import dev.spur.service.jobs.StoredJob;
import dev.spur.service.jobs.learning.JobLearning;
import dev.spur.service.jobs.learning.SpeedLearning;
import dev.spur.service.jobs.lifecycle.JobSubmission.PreparationSubmission;
import dev.spur.service.jobs.lifecycle.JobSubmission.TrainingSubmission;
import dev.spur.service.security.Principal;
import dev.spur.service.web.contract.Binder;
import dev.spur.service.web.contract.FieldError;
import dev.spur.service.web.contract.ProblemException;
import dev.spur.service.web.contract.ProblemType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.ObjectNode;

/** Accepts job submissions. Each is stored once, and a job that can never run is rejected. */
@Component
public class JobSubmissionService {
    private final JobStore jobs;
    private final ClusterInventoryCache hardware;
    private final SpeedLearning learning;
    private final Dependencies dependencies;
    private final JobInsertion insertion;
    private final DatabaseTime time;
    private final SubmissionDefaults defaults;
    private final SettingsStore settings;

    JobSubmissionService(
            JobStore jobs,
            ClusterInventoryCache hardware,
            SpeedLearning learning,
            Dependencies dependencies,
            JobInsertion insertion,
            DatabaseTime time,
            SubmissionDefaults defaults,
            SettingsStore settings) {
        this.jobs = jobs;
        this.hardware = hardware;
        this.learning = learning;
        this.dependencies = dependencies;
        this.insertion = insertion;
        this.time = time;
        this.settings = settings;
        this.defaults = defaults;
    }

    /**
     * Outcome of a submission.
     *
     * @param submission the submission with all defaults
     * @param replayed true if an earlier submission with the same key created it
     */
    public record Outcome(StoredJob job, JobSubmission submission, boolean replayed) {}

    /**
     * Stores a job durably.
     *
     * @param key makes the submission idempotent for this caller; null if it need not be
     * @param body the submission with the defaults of its schema; the other defaults are filled in, in place
     * @throws ProblemException if the job is rejected; it names every field with an error
     */
    public Outcome submit(Principal caller, @Nullable String key, ObjectNode body) {
        List<FieldError> errors = defaults.completeCaller(caller, body);
        JobStore.Claim claim = JobStore.Claim.of(caller.name(), key, body);
        errors.addAll(defaults.completeSubmission(body));
        return submit(claim, draft(caller, body, errors));
    }

    /**
     * Returns the submission of a completed body.
     *
     * @param errors missing values without a default
     * @throws ProblemException 422 if the body is no submission, or if its tenant is out of scope
     */
    Draft draft(Principal caller, ObjectNode body, List<FieldError> errors) {
        JobSubmission submission = bind(caller, body, errors);
        if (!caller.reach().covers(submission.tenant())) {
            errors.addAll(errorsWithoutTenant(submission.tenant(), submission.deadline()));
            throw ProblemException.of(ProblemType.UNPROCESSABLE, withoutRepetition(errors));
        }
        return new Draft(submission, errors, true);
    }

    /** Stores a complete submission. */
    public Outcome submit(Principal caller, @Nullable String key, JobSubmission submission) {
        if (!caller.reach().covers(submission.tenant())) {
            throw ProblemException.of(
                    ProblemType.UNPROCESSABLE, errorsWithoutTenant(submission.tenant(), submission.deadline()));
        }
        JobStore.Claim claim =
                JobStore.Claim.of(caller.name(), key, RoundJson.mapper().valueToTree(submission));
        return submit(claim, new Draft(submission, List.of(), false));
    }

    private Outcome submit(JobStore.@Nullable Claim claim, Draft draft) {
        return submit(draft, UUID.randomUUID().toString(), claim, hardware.last());
    }

    /**
     * A submission with all defaults.
     *
     * @param errors missing values without a default
     * @param isLimited true if the service may add a time limit; false for a job that its platform ends
     */
    record Draft(JobSubmission submission, List<FieldError> errors, boolean isLimited) {
        Draft within(ClusterInventory now) {
            return isLimited ? new Draft(TimeLimitRules.complete(submission, now), errors, true) : this;
        }
    }

    private JobSubmission bind(Principal caller, ObjectNode body, List<FieldError> errors) {
        try {
            return Binder.bind(body, JobSubmission.class);
        } catch (ProblemException problem) {
            errors.addAll(problem.errors());
            String tenant = body.path("tenant").asString();
            Instant deadline = body.hasNonNull("deadline")
                    ? RoundJson.mapper().treeToValue(body.path("deadline"), Instant.class)
                    : null;
            errors.addAll(
                    caller.reach().covers(tenant) && hardware.now().hardware().hasTenant(tenant)
                            ? errorsOfDeadline(deadline)
                            : errorsWithoutTenant(tenant, deadline));
            throw ProblemException.of(ProblemType.UNPROCESSABLE, withoutRepetition(errors));
        }
    }

    /** The first error of each field. */
    private static List<FieldError> withoutRepetition(List<FieldError> errors) {
        Map<String, FieldError> byPlace = new LinkedHashMap<>();
        errors.forEach(error -> byPlace.putIfAbsent(String.valueOf(error.pointer()), error));
        return List.copyOf(byPlace.values());
    }

    /**
     * Validates against the cached inventory. If the insert detects a newer inventory, the submission is validated
     * again.
     */
    private Outcome submit(
            Draft stated, String id, JobStore.@Nullable Claim claim, ClusterInventoryCache.CachedInventory seen) {
        Draft draft = stated.within(seen.hardware());
        JobSubmission submission = draft.submission();
        Optional<JobLearning> expected =
                submission instanceof TrainingSubmission training ? learning.before(training.spec()) : Optional.empty();
        Optional<ProblemException> refusal = refusal(draft, expected, seen.hardware());
        JobStore.Insertion inserted = refusal.isPresent()
                ? JobStore.Insertion.UNTRIED
                : insertUnlessOutdated(submission, submission.newJob(id), expected, claim, seen.version());
        if (inserted.job() != null) {
            return new Outcome(inserted.job(), submission, false);
        }
        if (!inserted.current()) {
            ClusterInventoryCache.CachedInventory now = hardware.now();
            if (now.version() != seen.version()) {
                return submit(stated, id, claim, now);
            }
        }
        return replay(claim, submission).orElseThrow(() -> refusal.orElseGet(() -> alreadyExists(submission)));
    }

    /** Inserts the job. Only the database detects that a tenant or group was deleted at the same time. */
    private JobStore.Insertion insertUnlessOutdated(
            JobSubmission submission,
            NewJob job,
            Optional<JobLearning> expected,
            JobStore.@Nullable Claim claim,
            long clusterVersion) {
        try {
            return insertion.insert(submission, job, expected, claim, clusterVersion);
        } catch (DataIntegrityViolationException gone) {
            if (hardware.now().version() == clusterVersion) {
                throw gone;
            }
            return JobStore.Insertion.UNTRIED;
        }
    }

    /** The specification with the predicted speeds that rounds will use. */
    private static JobSpec withPredictions(JobSpec spec, Optional<JobLearning> expected) {
        return expected.map(known -> spec.withSpeed(known.predicted().profile(RiskAttitude.EVEN), spec.efficiency()))
                .orElse(spec);
    }

    /** Returns why a submission is rejected; empty if it is accepted. */
    Optional<ProblemException> refusal(Draft draft, Optional<JobLearning> expected, ClusterInventory now) {
        JobSubmission submission = draft.submission();
        List<FieldError> errors = new ArrayList<>(draft.errors());
        errors.addAll(
                now.hasTenant(submission.tenant())
                        ? errorsWithin(submission, now)
                        : errorsWithoutTenant(submission.tenant(), submission.deadline()));
        if (!errors.isEmpty()) {
            return Optional.of(ProblemException.of(ProblemType.UNPROCESSABLE, withoutRepetition(errors)));
        }
        List<Obstacle> obstacles = submission.waitForHardware() ? List.of() : reasonsAgainst(submission, expected, now);
        return obstacles.isEmpty() ? Optional.empty() : Optional.of(neverFits(obstacles));
    }

    private List<Obstacle> reasonsAgainst(
            JobSubmission submission, Optional<JobLearning> expected, ClusterInventory now) {
        if (submission instanceof TrainingSubmission training) {
            return SubmissionRules.reasonsAgainst(
                    now,
                    training.tenant(),
                    withPredictions(training.spec(), expected),
                    () -> settings.current().value().planning().quotas().nonPreemptibleWithinNominal());
        }
        return SubmissionRules.reasonsAgainst(now, ((PreparationSubmission) submission).spec());
    }

    private List<FieldError> errorsWithin(JobSubmission submission, ClusterInventory now) {
        String group = submission instanceof TrainingSubmission training
                ? training.spec().group()
                : null;
        List<FieldError> errors = new ArrayList<>(now.errorsOfGroup(submission.tenant(), group));
        errors.addAll(dependencies.errors(submission.tenant(), submission.dependsOn()));
        errors.addAll(errorsOfDeadline(submission.deadline()));
        if (submission instanceof TrainingSubmission training) {
            errors.addAll(NodeRequirementLimit.errors(jobs, training.spec().elasticity()));
            errors.addAll(new TimeLimitRules(now, training.tenant()).errors(training.spec()));
        }
        return errors;
    }

    /** Errors of a job whose tenant does not exist or is out of the caller's scope; both cases are treated alike. */
    private List<FieldError> errorsWithoutTenant(String tenant, @Nullable Instant deadline) {
        List<FieldError> errors = new ArrayList<>();
        errors.add(FieldError.at("/tenant", "there is no tenant " + tenant));
        errors.addAll(errorsOfDeadline(deadline));
        return errors;
    }

    private List<FieldError> errorsOfDeadline(@Nullable Instant deadline) {
        return deadline != null && deadline.isBefore(time.now())
                ? List.of(FieldError.at("/deadline", "is in the past"))
                : List.of();
    }

    static ProblemException neverFits(List<Obstacle> obstacles) {
        return ProblemException.of(ProblemType.UNSATISFIABLE, Obstacle.explanation(obstacles))
                .withReasons(obstacles.stream().map(Obstacle::message).toList());
    }

    /** The job that the key created earlier; empty if there is none. */
    private Optional<Outcome> replay(JobStore.@Nullable Claim claim, JobSubmission submission) {
        if (claim == null) {
            return Optional.empty();
        }
        return jobs.findClaim(claim.caller(), claim.key()).map(earlier -> {
            if (!earlier.fingerprint().equals(claim.fingerprint())) {
                throw keyReused().withJob(earlier.resource());
            }
            return new Outcome(jobs.find(earlier.resource()).orElseThrow(), submission, true);
        });
    }

    static ProblemException keyReused() {
        return ProblemException.of(
                ProblemType.IDEMPOTENCY_KEY_REUSED,
                FieldError.inHeader("Idempotency-Key", "was already used for another submission"));
    }

    private ProblemException alreadyExists(JobSubmission submission) {
        String externalId = String.valueOf(submission.externalId());
        ProblemException problem = ProblemException.of(
                ProblemType.ALREADY_EXISTS,
                FieldError.at(
                        "/externalId", "is already used by another job of tenant %s".formatted(submission.tenant())));
        jobs.byExternalId(submission.tenant(), externalId)
                .ifPresent(id -> problem.withJob(id).withLocation("/api/v1/jobs/" + id));
        return problem;
    }
}
