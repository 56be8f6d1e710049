package dev.spur.service.executors;

import dev.spur.service.jobs.lifecycle.ProgressService;
import dev.spur.service.web.contract.ProblemException;
import java.time.Duration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Routes of AdaptDL's supervisor. AdaptDL's namespace of a job is the key of a generation, and its name is the id of
 * the job.
 */
@RestController
@RequestMapping("/compat/adaptdl")
class SupervisorController {
    /** A generation that never has members. */
    private static final long NEVER = -1;

    private final AllocationKeys keys;
    private final ProgressService progress;
    private final GangRendezvous gatherings;

    SupervisorController(AllocationKeys keys, ProgressService progress, GangRendezvous gatherings) {
        this.keys = keys;
        this.progress = progress;
        this.gatherings = gatherings;
    }

    @PutMapping("/hints/{ns}/{name}")
    void hints(@PathVariable String ns, @PathVariable String name, @RequestBody Hints hints) {
        progress.applyMeasurement(name, generation(ns, name), hints::measurement);
    }

    @GetMapping("/discover/{ns}/{name}/{group}")
    Object discover(
            @PathVariable String ns,
            @PathVariable String name,
            @PathVariable long group,
            @RequestParam(defaultValue = "30") long timeout) {
        long generation = generation(ns, name);
        return gatherings.await(name, group == generation ? generation : NEVER, Duration.ofSeconds(timeout));
    }

    private long generation(String key, String job) {
        return keys.generation(job, key).orElseThrow(() -> ProblemException.notFound("job with this key", job));
    }
}
