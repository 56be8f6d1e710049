package dev.spur.service.job.api;

import dev.spur.model.performance.ThroughputProfile;
import dev.spur.service.contract.EntityTag;
import dev.spur.service.contract.Page;
import dev.spur.service.contract.PageRequest;
import dev.spur.service.executor.ExecutorProperties;
import dev.spur.service.executor.PreparationProgress;
import dev.spur.service.job.JobHistory;
import dev.spur.service.job.JobReport;
import dev.spur.service.job.JobStore;
import dev.spur.service.job.StoredJob;
import dev.spur.service.job.api.JobDeviceStore.JobDevice;
import dev.spur.service.job.lifecycle.JobLifeCycle;
import dev.spur.service.job.lifecycle.ProgressService;
import java.util.List;
import java.util.Optional;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
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
    private final PreparationProgress preparations;
    private final ExecutorProperties executors;
    private final JobDeviceStore devices;

    JobPartsController(
            JobStore jobs,
            JobHistory history,
            JobLifeCycle lifeCycle,
            ProgressService progress,
            PreparationProgress preparations,
            ExecutorProperties executors,
            JobDeviceStore devices) {
        this.jobs = jobs;
        this.history = history;
        this.lifeCycle = lifeCycle;
        this.progress = progress;
        this.preparations = preparations;
        this.executors = executors;
        this.devices = devices;
    }

    /**
     * Devices of a job.
     *
     * @param generation number of its allocation
     * @param devices devices of the allocation; empty without one
     */
    record JobDevices(String jobId, long generation, List<JobDevice> devices) {}

    @GetMapping("/profile")
    ResponseEntity<ThroughputProfile> profile(@PathVariable String id) {
        StoredJob job = JobController.find(jobs, id);
        return EntityTag.of(job.version()).ok(job.readSpec().profile());
    }

    @PutMapping("/profile")
    ResponseEntity<ThroughputProfile> replaceProfile(
            @PathVariable String id,
            @RequestHeader("If-Match") Optional<String> ifMatch,
            @RequestBody ThroughputProfile profile) {
        StoredJob job = lifeCycle.replaceProfile(id, ifMatch, profile);
        return EntityTag.of(job.version()).ok(profile);
    }

    @PostMapping("/progress")
    ProgressView report(@PathVariable String id, @RequestBody JobReport report) {
        return report.doneSeconds() == null
                ? ProgressView.of(progress.take(id, report), executors)
                : ProgressView.of(preparations.take(id, report), executors);
    }

    @GetMapping("/allocations")
    ResponseEntity<Page<JobHistory.HeldAllocation>> allocations(@PathVariable String id, PageRequest page) {
        JobController.find(jobs, id);
        return page.read(
                        Long.MAX_VALUE,
                        (before, max) -> history.allocations(id, before, max),
                        JobHistory.HeldAllocation::generation)
                .response();
    }

    @GetMapping("/devices")
    JobDevices devices(@PathVariable String id) {
        StoredJob job = JobController.find(jobs, id);
        return new JobDevices(id, job.generation(), devices.ofJob(id));
    }

    @GetMapping("/events")
    ResponseEntity<Page<JobHistory.Event>> events(@PathVariable String id, PageRequest page) {
        JobController.find(jobs, id);
        return page.read(0, (after, max) -> history.events(id, after, max), JobHistory.Event::id)
                .response();
    }
}
