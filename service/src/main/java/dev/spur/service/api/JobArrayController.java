package dev.spur.service.api;

import dev.spur.model.json.RoundJson;
import dev.spur.service.jobs.JobArray;
import dev.spur.service.jobs.JobArrayStore;
import dev.spur.service.jobs.JobArrayStore.ArrayFilter;
import dev.spur.service.jobs.lifecycle.ArrayCommands;
import dev.spur.service.jobs.lifecycle.ArrayCommands.ArrayEdit;
import dev.spur.service.jobs.lifecycle.ArraySubmissionService;
import dev.spur.service.security.AccessScope;
import dev.spur.service.security.Principal;
import dev.spur.service.web.contract.EntityTag;
import dev.spur.service.web.contract.IdempotencyKey;
import dev.spur.service.web.contract.Page;
import dev.spur.service.web.contract.PageRequest;
import dev.spur.service.web.contract.ProblemException;
import java.time.Instant;
import java.util.Optional;
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
import tools.jackson.databind.node.ObjectNode;

/** Submitting arrays of jobs, reading and changing them. */
@RestController
@RequestMapping("/api/v1/arrays")
class JobArrayController {
    private final ArraySubmissionService intake;
    private final ArrayCommands commands;
    private final JobArrayStore arrays;

    JobArrayController(ArraySubmissionService intake, ArrayCommands commands, JobArrayStore arrays) {
        this.intake = intake;
        this.commands = commands;
        this.arrays = arrays;
    }

    @PostMapping
    ResponseEntity<JobArray> submit(
            Principal caller,
            @RequestHeader("Idempotency-Key") @Nullable String key,
            @RequestBody ObjectNode submission) {
        ArraySubmissionService.ArrayOutcome outcome = intake.submit(caller, IdempotencyKey.of(key), submission);
        JobArray array = outcome.array();
        return IdempotencyKey.response("/api/v1/arrays/" + array.id(), outcome.replayed())
                .eTag(EntityTag.of(array.version()).header())
                .body(array);
    }

    @GetMapping
    ResponseEntity<Page<JobArray>> list(
            AccessScope scope,
            @RequestParam @Nullable String tenant,
            @RequestParam @Nullable String owner,
            @RequestParam @Nullable Boolean active,
            PageRequest page) {
        ArrayFilter filter = new ArrayFilter(scope, tenant, owner, active);
        return page.read(Long.MAX_VALUE, (before, max) -> arrays.list(filter, before, max), JobArray::seq)
                .response();
    }

    @GetMapping("/{id}")
    ResponseEntity<JobArray> get(@PathVariable String id) {
        return respond(arrays.find(id).orElseThrow(() -> ProblemException.notFound("array", id)));
    }

    @PatchMapping("/{id}")
    ResponseEntity<JobArray> patch(
            @PathVariable String id,
            @RequestHeader("If-Match") Optional<String> ifMatch,
            @RequestBody ObjectNode patch) {
        ArrayEdit edit = new ArrayEdit(
                patch.has("limit"),
                patch.hasNonNull("limit") ? patch.path("limit").asInt() : null,
                patch.has("notBefore"),
                patch.hasNonNull("notBefore")
                        ? RoundJson.mapper().treeToValue(patch.path("notBefore"), Instant.class)
                        : null,
                patch.has("priority") ? patch.path("priority").asInt() : null);
        return respond(commands.edit(id, ifMatch, edit));
    }

    @PostMapping("/{id}/cancel")
    ResponseEntity<JobArray> cancel(@PathVariable String id, Principal caller) {
        return respond(commands.cancel(id, caller.name()));
    }

    @PostMapping("/{id}/hold")
    ResponseEntity<JobArray> hold(@PathVariable String id, Principal caller) {
        return respond(commands.hold(id, caller.name()));
    }

    @PostMapping("/{id}/release")
    ResponseEntity<JobArray> release(@PathVariable String id, Principal caller) {
        return respond(commands.release(id, caller.name()));
    }

    private static ResponseEntity<JobArray> respond(JobArray array) {
        return EntityTag.of(array.version()).ok(array);
    }
}
