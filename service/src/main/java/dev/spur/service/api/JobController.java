package dev.spur.service.api;

import dev.spur.model.json.RoundJson;
import dev.spur.service.api.JobDetailsReader.JobDetails;
import dev.spur.service.jobs.JobKind;
import dev.spur.service.jobs.JobPages;
import dev.spur.service.jobs.JobStore;
import dev.spur.service.jobs.StoredJob;
import dev.spur.service.jobs.lifecycle.JobOwnerCommands;
import dev.spur.service.jobs.lifecycle.JobSubmission;
import dev.spur.service.jobs.lifecycle.JobSubmissionService;
import dev.spur.service.jobs.lifecycle.JobWarnings.Warning;
import dev.spur.service.security.AccessScope;
import dev.spur.service.security.Principal;
import dev.spur.service.web.contract.FieldError;
import dev.spur.service.web.contract.IdempotencyKey;
import dev.spur.service.web.contract.MergePatch;
import dev.spur.service.web.contract.Page;
import dev.spur.service.web.contract.PageRequest;
import dev.spur.service.web.contract.ProblemException;
import dev.spur.service.web.contract.ProblemType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Submitting jobs, reading and changing them. */
@RestController
@RequestMapping("/api/v1/jobs")
class JobController {
    /** Members that the specification of a training job lacks where they are null. */
    private static final Set<String> OPTIONAL = Set.of("group", "revenue", "timeLimit");

    private final JobSubmissionService intake;
    private final JobOwnerCommands lifeCycle;
    private final JobStore jobs;
    private final JobPages pages;
    private final MergePatch patches;
    private final PendingJobLookup pendingJobs;
    private final JobDetailsReader details;

    JobController(
            JobSubmissionService intake,
            JobOwnerCommands lifeCycle,
            JobStore jobs,
            JobPages pages,
            MergePatch patches,
            PendingJobLookup pendingJobs,
            JobDetailsReader details) {
        this.intake = intake;
        this.lifeCycle = lifeCycle;
        this.jobs = jobs;
        this.pages = pages;
        this.patches = patches;
        this.pendingJobs = pendingJobs;
        this.details = details;
    }

    @PostMapping
    ResponseEntity<JobView> submit(
            Principal caller,
            @RequestHeader("Idempotency-Key") @Nullable String key,
            @RequestBody ObjectNode submission) {
        JobSubmissionService.Outcome outcome = intake.submit(caller, IdempotencyKey.of(key), submission);
        StoredJob job = outcome.job();
        return respond(
                IdempotencyKey.response("/api/v1/jobs/" + job.id(), outcome.replayed()),
                job,
                outcome.replayed() ? details.of(job) : details.ofNew(outcome.submission()));
    }

    @GetMapping
    ResponseEntity<Page<JobView>> list(
            AccessScope scope,
            @RequestParam @Nullable JobKind kind,
            @RequestParam(defaultValue = "") List<String> id,
            @RequestParam(defaultValue = "") List<String> state,
            @RequestParam @Nullable String tenant,
            @RequestParam @Nullable String owner,
            @RequestParam @Nullable String externalId,
            @RequestParam @Nullable String array,
            @RequestParam @Nullable String search,
            @RequestParam @Nullable String label,
            @RequestParam @Nullable Instant since,
            @RequestParam @Nullable Instant until,
            PageRequest page) {
        JobPages.Filter filter = new JobPages.Filter(
                scope, kind, id, state, tenant, owner, externalId, array, search, labels(label), since, until);
        PendingJobLookup.PlanStatus plan = pendingJobs.now();
        Page<StoredJob> found =
                page.read(Long.MAX_VALUE, (before, max) -> pages.list(filter, before, max), StoredJob::seq);
        Map<String, List<Warning>> warnings = details.warnings(found.items());
        return found.map(job -> JobView.of(job, plan, warnings.getOrDefault(job.id(), List.of())))
                .response();
    }

    private static Map<String, String> labels(@Nullable String filter) {
        if (filter == null) {
            return Map.of();
        }
        int equals = filter.indexOf('=');
        return Map.of(filter.substring(0, equals), filter.substring(equals + 1));
    }

    @GetMapping("/{id}")
    ResponseEntity<JobView> get(@PathVariable String id) {
        return respond(find(jobs, id));
    }

    static StoredJob find(JobStore jobs, String id) {
        return jobs.find(id).orElseThrow(() -> ProblemException.notFound("job", id));
    }

    @PatchMapping("/{id}")
    ResponseEntity<JobView> patch(
            @PathVariable String id,
            @RequestHeader("If-Match") Optional<String> ifMatch,
            @RequestBody ObjectNode patch) {
        return respond(lifeCycle.edit(id, ifMatch, job -> patch(job, patch)));
    }

    private JobSubmission patch(StoredJob job, ObjectNode patch) {
        ObjectNode tree = RoundJson.mapper().valueToTree(JobSubmission.of(job));
        List<FieldError> errors = new ArrayList<>();
        if (job.commandToStart() == null && patch.has("command")) {
            errors.add(FieldError.at("/command", "cannot be set: the job was submitted without a command"));
        }
        requireMembers(job, tree, patch, "", errors);
        requireMembers(job, tree.path("spec"), patch.path("spec"), "/spec", errors);
        JsonNode limit = patch.path("spec").path("timeLimit");
        if (limit.isObject()
                && !limit.has("seconds")
                && !tree.path("spec").path("timeLimit").isObject()) {
            errors.add(FieldError.at("/spec/timeLimit/seconds", "is required: the job has no time limit to change"));
        }
        if (!errors.isEmpty()) {
            throw ProblemException.of(ProblemType.UNPROCESSABLE, errors);
        }
        return patches.apply(tree, patch, JobSubmission.class);
    }

    /** Requires that jobs of this kind have each member of the patch. */
    private static void requireMembers(
            StoredJob job, JsonNode members, JsonNode patch, String pointer, List<FieldError> errors) {
        for (String name : patch.propertyNames()) {
            if (!members.has(name) && !(OPTIONAL.contains(name) && job.kind() == JobKind.TRAINING)) {
                errors.add(FieldError.at(
                        pointer + "/" + name, "is not a member of a job of kind %s".formatted(job.kind())));
            }
        }
    }

    @PostMapping("/{id}/cancel")
    ResponseEntity<JobView> cancel(@PathVariable String id, Principal caller) {
        return respond(lifeCycle.cancel(id, caller.name()));
    }

    @PostMapping("/{id}/hold")
    ResponseEntity<JobView> hold(@PathVariable String id, Principal caller) {
        return respond(lifeCycle.hold(id, caller.name()));
    }

    @PostMapping("/{id}/release")
    ResponseEntity<JobView> release(@PathVariable String id, Principal caller) {
        return respond(lifeCycle.release(id, caller.name()));
    }

    private ResponseEntity<JobView> respond(StoredJob job) {
        return respond(ResponseEntity.ok(), job);
    }

    private ResponseEntity<JobView> respond(ResponseEntity.BodyBuilder response, StoredJob job) {
        return respond(response, job, details.of(job));
    }

    private ResponseEntity<JobView> respond(ResponseEntity.BodyBuilder response, StoredJob job, JobDetails shown) {
        PendingJobLookup.PlanStatus plan = pendingJobs.now();
        return response.eTag(JobView.tag(job, plan, shown).header()).body(JobView.of(job, plan, shown));
    }
}
