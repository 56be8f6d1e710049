package dev.spur.service.jobs.lifecycle;

import dev.spur.service.database.StoredJson;
import dev.spur.service.jobs.Command;
import dev.spur.service.jobs.JobArray;
import dev.spur.service.jobs.JobArrayStore;
import dev.spur.service.jobs.JobArrayStore.ArrayAddition;
import dev.spur.service.jobs.JobArrayStore.NewArray;
import dev.spur.service.jobs.JobArrayStore.NewMember;
import dev.spur.service.jobs.JobStore;
import dev.spur.service.jobs.learning.JobLearning;
import dev.spur.service.jobs.learning.SpeedLearning;
import dev.spur.service.jobs.lifecycle.JobSubmission.TrainingSubmission;
import dev.spur.service.jobs.lifecycle.JobSubmissionService.Draft;
import dev.spur.service.security.Principal;
import dev.spur.service.web.contract.FieldError;
import dev.spur.service.web.contract.ProblemException;
import dev.spur.service.web.contract.ProblemType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.ObjectNode;

/** Accepts arrays of jobs. All jobs of an array are stored, or none. */
@Component
public class ArraySubmissionService {
    /** Reference to the index in the checkpoint directory of the job of an array. */
    private static final String INDEX = "${SPUR_ARRAY_INDEX}";

    private final JobSubmissionService intake;
    private final JobArrayStore arrays;
    private final JobStore jobs;
    private final JobInsertion insertion;
    private final ClusterInventoryCache hardware;
    private final SpeedLearning learning;
    private final SubmissionDefaults defaults;

    ArraySubmissionService(
            JobSubmissionService intake,
            JobArrayStore arrays,
            JobStore jobs,
            JobInsertion insertion,
            ClusterInventoryCache hardware,
            SpeedLearning learning,
            SubmissionDefaults defaults) {
        this.intake = intake;
        this.arrays = arrays;
        this.jobs = jobs;
        this.insertion = insertion;
        this.hardware = hardware;
        this.learning = learning;
        this.defaults = defaults;
    }

    /** Outcome of a submission; {@code replayed} if an earlier submission with the same key created the array. */
    public record ArrayOutcome(JobArray array, boolean replayed) {}

    /**
     * Stores an array durably.
     *
     * @param key makes the submission idempotent for this caller; null if it need not be
     * @param body the submission with the defaults of its schema; the other defaults are filled in, in place
     * @throws ProblemException if the array is rejected; it names every field with an error
     */
    public ArrayOutcome submit(Principal caller, @Nullable String key, ObjectNode body) {
        ObjectNode job = (ObjectNode) body.path("job");
        List<FieldError> errors = new ArrayList<>();
        List<Integer> indices = ArrayIndices.parse(body.path("indices").asString(), errors);
        List<FieldError> missing = new ArrayList<>(defaults.completeCaller(caller, job));
        JobStore.Claim claim = JobStore.Claim.of(caller.name(), key, body);
        missing.addAll(defaults.completeSubmission(job));
        addErrors(job, body.hasNonNull("limit"), indices.size(), errors);
        Draft draft;
        try {
            draft = intake.draft(caller, job, missing);
        } catch (ProblemException problem) {
            throw withErrors(problem, errors);
        }
        if (!(draft.submission() instanceof TrainingSubmission training)) {
            throw ProblemException.of(ProblemType.UNPROCESSABLE, errors);
        }
        String id = UUID.randomUUID().toString();
        Request request = new Request(
                draft,
                id,
                body.path("indices").asString(),
                body.hasNonNull("limit") ? body.path("limit").asInt() : null,
                members(id, training.command(), indices),
                errors);
        return submit(request, claim, hardware.last());
    }

    /**
     * Read request.
     *
     * @param stated each job, without a time limit of its tenant
     * @param id id of the array
     */
    private record Request(
            Draft stated,
            String id,
            String indices,
            @Nullable Integer limit,
            List<NewMember> members,
            List<FieldError> errors) {
        /** Returns the array of the jobs {@code job}; its limit is a job group. */
        NewArray array(TrainingSubmission job) {
            return new NewArray(id, inGroup(job).newJob(id), indices, limit, limit == null ? null : group(), members);
        }

        TrainingSubmission inGroup(TrainingSubmission job) {
            return limit == null
                    ? job
                    : job.withSpec(job.spec().edit().group(group()).build());
        }

        private String group() {
            return "array-" + id;
        }
    }

    /** Adds the errors of a job that cannot be repeated. */
    private static void addErrors(ObjectNode job, boolean isLimited, int size, List<FieldError> errors) {
        if (!job.path("kind").asString().equals("TRAINING")) {
            errors.add(FieldError.at("/job/kind", "must be TRAINING: an array has no data preparations"));
        }
        if (job.hasNonNull("externalId")) {
            errors.add(FieldError.at("/job/externalId", "must be absent: it would be the same for all jobs"));
        }
        if (isLimited && job.at("/spec/group").isString()) {
            errors.add(FieldError.at(
                    "/limit", "must be absent, because the job names a group; state maxJobs of the group"));
        }
        String checkpoints = job.at("/command/checkpointDir").asString("");
        if (!checkpoints.isEmpty() && size > 1 && !checkpoints.contains(INDEX)) {
            errors.add(FieldError.at(
                    "/job/command/checkpointDir",
                    "must contain %s: two active jobs cannot share a directory".formatted(INDEX)));
        }
    }

    /** Returns a problem of the job within that of the array. */
    private static ProblemException withErrors(ProblemException problem, List<FieldError> errors) {
        List<FieldError> all = new ArrayList<>(errors);
        problem.errors().stream()
                .map(error ->
                        error.pointer() == null ? error : FieldError.at("/job" + error.pointer(), error.message()))
                .forEach(all::add);
        return all.isEmpty() ? problem : ProblemException.of(ProblemType.UNPROCESSABLE, all);
    }

    private ArrayOutcome submit(
            Request request, JobStore.@Nullable Claim claim, ClusterInventoryCache.CachedInventory seen) {
        Draft draft = request.stated().within(seen.hardware());
        TrainingSubmission job = (TrainingSubmission) draft.submission();
        Optional<JobLearning> expected = learning.before(job.spec());
        Optional<ProblemException> refusal = intake.refusal(draft, expected, seen.hardware());
        ArrayAddition addition = refusal.isPresent() || !request.errors().isEmpty()
                ? new ArrayAddition(false, false)
                : insertUnlessOutdated(request, job, expected, claim, seen.version());
        if (addition.added()) {
            return new ArrayOutcome(arrays.find(request.id()).orElseThrow(), false);
        }
        if (!addition.isCurrent()) {
            ClusterInventoryCache.CachedInventory now = hardware.now();
            if (now.version() != seen.version()) {
                return submit(request, claim, now);
            }
        }
        return replay(claim)
                .orElseThrow(() -> refusal.map(problem -> withErrors(problem, request.errors()))
                        .orElseGet(() -> ProblemException.of(ProblemType.UNPROCESSABLE, request.errors())));
    }

    /** Inserts the array. Only the database detects that a tenant or group was deleted at the same time. */
    private ArrayAddition insertUnlessOutdated(
            Request request,
            TrainingSubmission job,
            Optional<JobLearning> expected,
            JobStore.@Nullable Claim claim,
            long clusterVersion) {
        try {
            return insertion.insert(request.array(job), request.inGroup(job), expected, claim, clusterVersion);
        } catch (DataIntegrityViolationException gone) {
            if (hardware.now().version() == clusterVersion) {
                throw gone;
            }
            return new ArrayAddition(false, false);
        }
    }

    private Optional<ArrayOutcome> replay(JobStore.@Nullable Claim claim) {
        if (claim == null) {
            return Optional.empty();
        }
        return jobs.findClaim(claim.caller(), claim.key()).map(earlier -> {
            if (!earlier.fingerprint().equals(claim.fingerprint())) {
                throw JobSubmissionService.keyReused();
            }
            return new ArrayOutcome(arrays.find(earlier.resource()).orElseThrow(), true);
        });
    }

    private static List<NewMember> members(String array, @Nullable Command command, List<Integer> indices) {
        List<NewMember> members = new ArrayList<>(indices.size());
        for (int index : indices) {
            String json = command == null
                    ? null
                    : StoredJson.ofValue(command(command, array, index, indices))
                            .text();
            members.add(new NewMember(UUID.randomUUID().toString(), index, json));
        }
        return members;
    }

    /** Returns the command of one job, with the variables of Spur and of Slurm in its environment. */
    private static Command command(Command command, String array, int index, List<Integer> indices) {
        Map<String, String> env = new HashMap<>(command.env());
        String number = Integer.toString(index);
        env.put("SPUR_ARRAY", array);
        env.put("SPUR_ARRAY_INDEX", number);
        env.put("SLURM_ARRAY_JOB_ID", array);
        env.put("SLURM_ARRAY_TASK_ID", number);
        env.put("SLURM_ARRAY_TASK_COUNT", Integer.toString(indices.size()));
        env.put("SLURM_ARRAY_TASK_MIN", Integer.toString(indices.get(0)));
        env.put("SLURM_ARRAY_TASK_MAX", Integer.toString(indices.get(indices.size() - 1)));
        String checkpoints = command.checkpointDir();
        return new Command(
                command.program(),
                command.args(),
                env,
                command.workdir(),
                command.launch(),
                checkpoints == null ? null : checkpoints.replace(INDEX, number),
                command.graceSeconds(),
                command.maxRestarts(),
                command.roles());
    }
}
