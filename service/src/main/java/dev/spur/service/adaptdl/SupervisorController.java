package dev.spur.service.adaptdl;

import dev.spur.service.contract.ContractRequest;
import dev.spur.service.contract.ProblemException;
import dev.spur.service.job.ProgressService;
import dev.spur.service.store.AllocationKeys;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;

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
    void hints(ContractRequest request) {
        long generation = generation(request);
        Hints hints = request.body(Hints.class);
        progress.measured(request.text("name"), generation, hints::measured);
    }

    @GetMapping("/discover/{ns}/{name}/{group}")
    DeferredResult<List<String>> discover(ContractRequest request) {
        long generation = generation(request);
        long group = request.number("group");
        return gatherings.await(
                request.text("name"), group == generation ? generation : NEVER, request.number("timeout"));
    }

    private long generation(ContractRequest request) {
        String job = request.text("name");
        return keys.generation(job, request.text("ns"))
                .orElseThrow(() -> ProblemException.notFound("job with this key", job));
    }
}
