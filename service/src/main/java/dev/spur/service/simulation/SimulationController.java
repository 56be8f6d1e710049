package dev.spur.service.simulation;

import dev.spur.model.round.RoundProblem;
import dev.spur.service.audit.AuditTrail;
import dev.spur.service.contract.Binder;
import dev.spur.service.contract.FieldError;
import dev.spur.service.contract.IdempotencyKey;
import dev.spur.service.contract.ListFilter;
import dev.spur.service.contract.Page;
import dev.spur.service.contract.PageRequest;
import dev.spur.service.contract.ProblemException;
import dev.spur.service.contract.ProblemType;
import dev.spur.service.security.AccessScope;
import dev.spur.service.security.Principal;
import dev.spur.service.security.Sha256;
import dev.spur.service.simulation.SimulationStore.KeyUse;
import dev.spur.service.simulation.SimulationStore.NewSimulation;
import dev.spur.service.simulation.SimulationStore.Row;
import dev.spur.service.snapshot.SnapshotReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.support.TransactionTemplate;
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
class SimulationController {
    private static final String PATH = "/api/v1/simulations/";
    private static final MediaType CSV = new MediaType("text", "csv", StandardCharsets.UTF_8);
    private static final MediaType HTML = new MediaType("text", "html", StandardCharsets.UTF_8);

    private final SimulationStore store;
    private final SnapshotReader snapshots;
    private final SimulationProperties properties;
    /** Transaction of the change; the snapshot before it has another isolation. */
    private final TransactionTemplate transaction;

    private final AuditTrail trail;

    SimulationController(
            SimulationStore store,
            SnapshotReader snapshots,
            SimulationProperties properties,
            TransactionTemplate transaction,
            AuditTrail trail) {
        this.store = store;
        this.snapshots = snapshots;
        this.properties = properties;
        this.transaction = transaction;
        this.trail = trail;
    }

    @PostMapping
    ResponseEntity<Row> ask(
            Principal caller,
            @RequestHeader("Idempotency-Key") @Nullable String idempotencyKey,
            @RequestBody ObjectNode request) {
        String owner = caller.name();
        AccessScope scope = caller.reach();
        String body = request.toString();
        String key = IdempotencyKey.of(idempotencyKey);
        Optional<Row> earlier = earlier(owner, key, body);
        if (earlier.isPresent()) {
            return accepted(earlier.get(), true);
        }
        SimulationRequest wanted = Binder.bind(request, SimulationRequest.class);
        RoundProblem state = wanted.needsState() ? state(scope) : null;
        SimulationRules.require(wanted, state, properties.maxJobs());
        String id = UUID.randomUUID().toString();
        if (add(
                new NewSimulation(
                        id, SimulationKind.SIMULATION, owner, key, Sha256.hex(body), body, state, scope.tenants()),
                properties.queue())) {
            return accepted(find(id), false);
        }
        return accepted(earlier(owner, key, body).orElseThrow(this::full), true);
    }

    private boolean add(NewSimulation asked, int most) {
        return Boolean.TRUE.equals(transaction.execute(status -> {
            boolean added = store.add(asked, most);
            if (added) {
                trail.changed(
                        "simulation", asked.id(), null, Map.of("owner", asked.owner(), "request", asked.request()));
            }
            return added;
        }));
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

    /**
     * Returns the simulation that this idempotency key created earlier.
     *
     * @throws ProblemException 422 if the key was used with a different request
     */
    private Optional<Row> earlier(String owner, @Nullable String key, String body) {
        if (key == null) {
            return Optional.empty();
        }
        Optional<KeyUse> claimed = store.claimed(owner, key);
        if (claimed.isPresent() && !claimed.get().fingerprint().equals(Sha256.hex(body))) {
            throw ProblemException.of(
                            ProblemType.IDEMPOTENCY_KEY_REUSED,
                            FieldError.inHeader("Idempotency-Key", "was used for a different simulation"))
                    .withLocation(PATH + claimed.get().id());
        }
        return claimed.flatMap(found -> store.find(SimulationKind.SIMULATION, found.id()));
    }

    private ProblemException full() {
        return ProblemException.of(
                        ProblemType.TOO_MANY_REQUESTS, "%d simulations wait already.".formatted(properties.queue()))
                .withHeader("Retry-After", "30");
    }

    private static ResponseEntity<Row> accepted(Row row, boolean replayed) {
        ResponseEntity.BodyBuilder answer = ResponseEntity.accepted().location(URI.create(PATH + row.id()));
        if (replayed) {
            answer.header("Idempotent-Replayed", "true");
        }
        return answer.body(row);
    }

    @GetMapping
    ResponseEntity<Page<Row>> list(
            AccessScope scope,
            @RequestParam(defaultValue = "") List<String> state,
            @RequestParam @Nullable String owner,
            @RequestParam @Nullable Instant since,
            @RequestParam @Nullable Instant until,
            PageRequest page) {
        return page.read(
                        Long.MAX_VALUE,
                        (before, most) -> store.before(SimulationKind.SIMULATION, scope, before, most),
                        Row::seq,
                        row -> ListFilter.matches(state, row.state())
                                && ListFilter.matches(owner, row.owner())
                                && ListFilter.isWithin(row.submittedAt(), since, until))
                .response();
    }

    @GetMapping("/{id}")
    Row get(@PathVariable String id) {
        return find(id);
    }

    @GetMapping("/{id}/table")
    ResponseEntity<byte[]> table(@PathVariable String id) {
        return text(find(id), CSV, store.csv(id));
    }

    @GetMapping("/{id}/report")
    ResponseEntity<byte[]> report(@PathVariable String id) {
        return text(find(id), HTML, store.report(id));
    }

    private static ResponseEntity<byte[]> text(Row row, MediaType type, Optional<String> text) {
        byte[] bytes = text.orElseThrow(() -> ProblemException.of(
                        ProblemType.CONFLICT, "The simulation has no result: it is %s.".formatted(row.state())))
                .getBytes(StandardCharsets.UTF_8);
        return ResponseEntity.ok().contentType(type).body(bytes);
    }

    @PostMapping("/{id}/cancel")
    Row cancel(@PathVariable String id) {
        if (!cancel(find(id)) && !find(id).state().equals("CANCELLED")) {
            throw ProblemException.of(ProblemType.CONFLICT, "The simulation has already ended.");
        }
        return find(id);
    }

    private boolean cancel(Row row) {
        return Boolean.TRUE.equals(transaction.execute(status -> {
            boolean cancelled = store.cancel(row.id());
            if (cancelled) {
                trail.changed("simulation", row.id(), Map.of("state", row.state()), Map.of("state", "CANCELLED"));
            }
            return cancelled;
        }));
    }

    private Row find(String id) {
        return store.find(SimulationKind.SIMULATION, id).orElseThrow(() -> ProblemException.notFound("simulation", id));
    }
}
