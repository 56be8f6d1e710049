package dev.spur.service.api;

import dev.spur.model.json.RoundJson;
import dev.spur.service.contract.ContractRequest;
import dev.spur.service.contract.FieldError;
import dev.spur.service.contract.MergePatch;
import dev.spur.service.contract.Page;
import dev.spur.service.contract.ProblemException;
import dev.spur.service.contract.ProblemType;
import dev.spur.service.job.Command;
import dev.spur.service.job.JobLifeCycle;
import dev.spur.service.job.JobLifeCycle.Editable;
import dev.spur.service.job.JobSubmissionService;
import dev.spur.service.job.JobWarnings;
import dev.spur.service.job.JobWarnings.Warning;
import dev.spur.service.store.JobStore;
import dev.spur.service.store.StoredJob;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.node.ObjectNode;

/** Submitting jobs, reading and changing them. */
@RestController
@RequestMapping("/api/v1/jobs")
class JobController {
    private final JobSubmissionService intake;
    private final JobLifeCycle lifeCycle;
    private final JobStore jobs;
    private final MergePatch patches;
    private final PendingJobLookup pendingJobs;
    private final JobWarnings warnings;

    JobController(
            JobSubmissionService intake,
            JobLifeCycle lifeCycle,
            JobStore jobs,
            MergePatch patches,
            PendingJobLookup pendingJobs,
            JobWarnings warnings) {
        this.intake = intake;
        this.lifeCycle = lifeCycle;
        this.jobs = jobs;
        this.patches = patches;
        this.pendingJobs = pendingJobs;
        this.warnings = warnings;
    }

    @PostMapping
    ResponseEntity<JobView> submit(ContractRequest request) {
        String key = request.idempotencyKey().orElse(null);
        JobSubmissionService.Outcome outcome = intake.submit(request.principal(), key, (ObjectNode) request.body());
        StoredJob job = outcome.job();
        PendingJobLookup.PlanStatus plan = pendingJobs.now();
        List<Warning> warned = outcome.replayed() ? warnings.of(job.id()) : List.of();
        ResponseEntity.BodyBuilder answer = ResponseEntity.created(URI.create("/api/v1/jobs/" + job.id()))
                .eTag(JobView.tag(job, plan, warned).header());
        if (outcome.replayed()) {
            answer.header("Idempotent-Replayed", "true");
        }
        return answer.body(JobView.of(job, plan, warned));
    }

    @GetMapping
    ResponseEntity<Page<JobView>> list(ContractRequest request) {
        int limit = Page.limit(request);
        long before = Page.after(request, Long.MAX_VALUE);
        List<StoredJob> found = jobs.list(filter(request), before, limit + 1);
        PendingJobLookup.PlanStatus plan = pendingJobs.now();
        return Page.of(found, limit, StoredJob::seq)
                .map(job -> JobView.of(job, plan, null))
                .answer(request);
    }

    private static JobStore.Filter filter(ContractRequest request) {
        Map<String, String> label = request.optionalText("label")
                .map(text -> Map.of(text.substring(0, text.indexOf('=')), text.substring(text.indexOf('=') + 1)))
                .orElse(Map.of());
        return new JobStore.Filter(
                request.reach(),
                request.texts("id"),
                request.texts("state"),
                request.optionalText("tenant").orElse(null),
                request.optionalText("owner").orElse(null),
                request.optionalText("externalId").orElse(null),
                label,
                request.optionalTime("since").orElse(null),
                request.optionalTime("until").orElse(null));
    }

    @GetMapping("/{id}")
    ResponseEntity<JobView> get(ContractRequest request) {
        StoredJob job = find(jobs, request);
        PendingJobLookup.PlanStatus plan = pendingJobs.now();
        List<Warning> warned = warnings.of(job.id());
        return ConditionalResponses.of(request, JobView.tag(job, plan, warned), JobView.of(job, plan, warned));
    }

    static StoredJob find(JobStore jobs, ContractRequest request) {
        String id = request.text("id");
        return jobs.find(id).orElseThrow(() -> ProblemException.notFound("job", id));
    }

    @PatchMapping("/{id}")
    ResponseEntity<JobView> patch(ContractRequest request) {
        return answer(
                HttpStatus.OK,
                lifeCycle.edit(request.text("id"), request.optionalText("If-Match"), job -> patched(request, job)));
    }

    private Editable patched(ContractRequest request, StoredJob job) {
        String command = job.commandToStart();
        if (command == null && request.body().has("command")) {
            throw ProblemException.of(
                    ProblemType.UNPROCESSABLE,
                    FieldError.at("/command", "cannot be set: the job was submitted without a command"));
        }
        ObjectNode tree = RoundJson.mapper()
                .valueToTree(new Editable(
                        job.name(),
                        job.labels(),
                        job.deadline(),
                        job.dependsOn(),
                        command == null ? null : Command.read(command),
                        job.readSpec()));
        return patches.apply(tree, request.body(), Editable.class);
    }

    @PostMapping("/{id}/cancel")
    ResponseEntity<JobView> cancel(ContractRequest request) {
        return answer(
                HttpStatus.OK,
                lifeCycle.cancel(request.text("id"), request.principal().name()));
    }

    @PostMapping("/{id}/hold")
    ResponseEntity<JobView> hold(ContractRequest request) {
        return answer(
                HttpStatus.OK,
                lifeCycle.hold(request.text("id"), request.principal().name()));
    }

    @PostMapping("/{id}/release")
    ResponseEntity<JobView> release(ContractRequest request) {
        return answer(
                HttpStatus.OK,
                lifeCycle.release(request.text("id"), request.principal().name()));
    }

    private ResponseEntity<JobView> answer(HttpStatus status, StoredJob job) {
        PendingJobLookup.PlanStatus plan = pendingJobs.now();
        List<Warning> warned = warnings.of(job.id());
        return ResponseEntity.status(status)
                .eTag(JobView.tag(job, plan, warned).header())
                .body(JobView.of(job, plan, warned));
    }
}
