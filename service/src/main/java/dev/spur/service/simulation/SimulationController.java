package dev.spur.service.simulation;

import dev.spur.model.round.RoundProblem;
import dev.spur.service.contract.Binder;
import dev.spur.service.contract.IdempotencyKey;
import dev.spur.service.contract.ListFilter;
import dev.spur.service.contract.Page;
import dev.spur.service.contract.PageRequest;
import dev.spur.service.security.AccessScope;
import dev.spur.service.security.Principal;
import dev.spur.service.security.Sha256;
import dev.spur.service.simulation.SimulationStore.NewSimulation;
import dev.spur.service.simulation.SimulationStore.Row;
import dev.spur.service.snapshot.SnapshotReader;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.node.ObjectNode;

/** Endpoints that submit simulations, report their progress, and return their results. */
@RestController
@RequestMapping("/api/v1/simulations")
class SimulationController extends QueuedWorkController {
    private final SimulationQueue queue;
    private final SimulationStore store;
    private final SnapshotReader snapshots;
    private final SimulationProperties properties;

    SimulationController(
            SimulationQueue queue, SimulationStore store, SnapshotReader snapshots, SimulationProperties properties) {
        super(SimulationKind.SIMULATION, queue, store);
        this.queue = queue;
        this.store = store;
        this.snapshots = snapshots;
        this.properties = properties;
    }

    @PostMapping
    ResponseEntity<Row> ask(
            Principal caller,
            @RequestHeader("Idempotency-Key") @Nullable String idempotencyKey,
            @RequestBody ObjectNode request) {
        AccessScope scope = caller.reach();
        String body = request.toString();
        String key = IdempotencyKey.of(idempotencyKey);
        String fingerprint = Sha256.hex(body);
        Optional<SimulationQueue.Submission> earlier =
                queue.earlier(SimulationKind.SIMULATION, caller.name(), key, fingerprint);
        if (earlier.isPresent()) {
            return toResponse(earlier.get());
        }
        SimulationRequest desired = Binder.bind(request, SimulationRequest.class);
        RoundProblem state = desired.needsState() ? state(scope) : null;
        SimulationRules.require(desired, state, properties.maxJobs());
        return toResponse(queue.submit(new NewSimulation(
                UUID.randomUUID().toString(),
                SimulationKind.SIMULATION,
                caller.name(),
                key,
                fingerprint,
                body,
                state,
                scope.tenants())));
    }

    /** Returns the live state. A caller restricted to tenants gets only the live jobs of these tenants. */
    private RoundProblem state(AccessScope reach) {
        RoundProblem whole = snapshots.read().problem();
        return reach.isAll()
                ? whole
                : whole.withJobs(whole.jobs().stream()
                        .filter(job -> reach.covers(job.tenant()))
                        .toList());
    }

    @GetMapping
    ResponseEntity<Page<Row>> list(
            AccessScope scope,
            @RequestParam(defaultValue = "") List<String> state,
            @RequestParam @Nullable String owner,
            @RequestParam @Nullable Instant since,
            @RequestParam @Nullable Instant until,
            PageRequest page) {
        return list(
                scope,
                state,
                row -> ListFilter.matches(owner, row.owner()) && ListFilter.isWithin(row.submittedAt(), since, until),
                page);
    }

    @GetMapping("/{id}/report")
    ResponseEntity<byte[]> report(@PathVariable String id) {
        return text(id, "html", store.report(id));
    }
}
