package dev.spur.service.api;

import dev.spur.model.performance.ThroughputProfile;
import dev.spur.service.contract.ContractRequest;
import dev.spur.service.contract.EntityTag;
import dev.spur.service.contract.Page;
import dev.spur.service.executor.ExecutorProperties;
import dev.spur.service.job.JobLifeCycle;
import dev.spur.service.job.ProgressService;
import dev.spur.service.store.JobChanges.Report;
import dev.spur.service.store.JobHistory;
import dev.spur.service.store.JobStore;
import dev.spur.service.store.StoredJob;
import java.time.temporal.ChronoUnit;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Profile, progress and history of a job. */
@RestController
@RequestMapping("/api/v1/jobs/{id}")
class JobPartsController {
    private final JobStore jobs;
    private final JobHistory history;
    private final JobLifeCycle lifeCycle;
    private final ProgressService progress;
    private final ExecutorProperties executors;

    JobPartsController(
            JobStore jobs,
            JobHistory history,
            JobLifeCycle lifeCycle,
            ProgressService progress,
            ExecutorProperties executors) {
        this.jobs = jobs;
        this.history = history;
        this.lifeCycle = lifeCycle;
        this.progress = progress;
        this.executors = executors;
    }

    @GetMapping("/profile")
    ResponseEntity<ThroughputProfile> profile(ContractRequest request) {
        StoredJob job = JobController.find(jobs, request);
        return ConditionalResponses.of(
                request, EntityTag.of(job.version()), job.readSpec().profile());
    }

    @PutMapping("/profile")
    ResponseEntity<ThroughputProfile> replaceProfile(ContractRequest request) {
        ThroughputProfile profile = request.body(ThroughputProfile.class);
        StoredJob job = lifeCycle.replaceProfile(request.text("id"), request.optionalText("If-Match"), profile);
        return ResponseEntity.ok().eTag(EntityTag.of(job.version()).header()).body(profile);
    }

    @PostMapping("/progress")
    ResponseEntity<ProgressView> report(ContractRequest request) {
        ProgressService.Reply reply = progress.take(request.text("id"), request.body(Report.class));
        return ResponseEntity.status(HttpStatus.OK).body(ProgressView.of(reply, executors));
    }

    @GetMapping("/allocations")
    ResponseEntity<Page<JobHistory.HeldAllocation>> allocations(ContractRequest request) {
        String id = JobController.find(jobs, request).id();
        int limit = Page.limit(request);
        long before = Page.after(request, Long.MAX_VALUE);
        return Page.of(history.allocations(id, before, limit + 1), limit, JobHistory.HeldAllocation::generation)
                .map(JobPartsController::shown)
                .answer(request);
    }

    private static JobHistory.HeldAllocation shown(JobHistory.HeldAllocation held) {
        return new JobHistory.HeldAllocation(
                held.generation(),
                held.planRevision(),
                held.change(),
                held.allocation(),
                held.startedAt().truncatedTo(ChronoUnit.MILLIS),
                held.endedAt() == null ? null : held.endedAt().truncatedTo(ChronoUnit.MILLIS));
    }

    @GetMapping("/events")
    ResponseEntity<Page<JobHistory.Event>> events(ContractRequest request) {
        String id = JobController.find(jobs, request).id();
        int limit = Page.limit(request);
        return Page.of(history.events(id, Page.after(request, 0), limit + 1), limit, JobHistory.Event::id)
                .map(JobHistory.Event::shown)
                .answer(request);
    }
}
