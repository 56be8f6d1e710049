package dev.spur.service.api;

import dev.spur.model.performance.ThroughputProfile;
import dev.spur.service.api.JobDeviceStore.JobDevice;
import dev.spur.service.executors.ExecutorProperties;
import dev.spur.service.executors.PreparationProgress;
import dev.spur.service.jobs.JobHistory;
import dev.spur.service.jobs.JobReport;
import dev.spur.service.jobs.JobStore;
import dev.spur.service.jobs.StoredJob;
import dev.spur.service.jobs.learning.SpeedHistoryStore;
import dev.spur.service.jobs.lifecycle.JobOwnerCommands;
import dev.spur.service.jobs.lifecycle.ProgressService;
import dev.spur.service.web.contract.EntityTag;
import dev.spur.service.web.contract.Page;
import dev.spur.service.web.contract.PageRequest;
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
    private final JobOwnerCommands lifeCycle;
    private final ProgressService progress;
    private final PreparationProgress preparations;
    private final ExecutorProperties executors;
    private final JobDeviceStore devices;
    private final SpeedHistoryStore speeds;

    JobPartsController(
            JobStore jobs,
            JobHistory history,
            JobOwnerCommands lifeCycle,
            ProgressService progress,
            PreparationProgress preparations,
            ExecutorProperties executors,
            JobDeviceStore devices,
            SpeedHistoryStore speeds) {
        this.jobs = jobs;
        this.history = history;
        this.lifeCycle = lifeCycle;
        this.progress = progress;
        this.preparations = preparations;
        this.executors = executors;
        this.devices = devices;
        this.speeds = speeds;
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
        return EntityTag.of(job.version()).ok(job.trainingSpec().profile());
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

    @GetMapping("/speeds")
    ResponseEntity<Page<SpeedHistoryStore.MeasuredSpeed>> speeds(@PathVariable String id, PageRequest page) {
        JobController.find(jobs, id);
        return page.read(0, (after, max) -> speeds.list(id, after, max), SpeedHistoryStore.MeasuredSpeed::id)
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
