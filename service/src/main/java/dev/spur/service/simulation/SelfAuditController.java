package dev.spur.service.simulation;

import dev.spur.service.contract.Binder;
import dev.spur.service.contract.IdempotencyKey;
import dev.spur.service.contract.ListFilter;
import dev.spur.service.contract.Page;
import dev.spur.service.contract.PageRequest;
import dev.spur.service.contract.ProblemException;
import dev.spur.service.contract.ProblemType;
import dev.spur.service.security.AccessScope;
import dev.spur.service.security.Principal;
import dev.spur.service.simulation.SimulationStore.Row;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
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

/** Endpoints that submit self-audits, report their progress, and return their results. */
@RestController
@RequestMapping("/api/v1/self-audits")
class SelfAuditController {
    private static final String PATH = "/api/v1/self-audits/";
    private static final MediaType CSV = new MediaType("text", "csv", StandardCharsets.UTF_8);

    private final SelfAuditQueue queue;
    private final SimulationStore store;

    SelfAuditController(SelfAuditQueue queue, SimulationStore store) {
        this.queue = queue;
        this.store = store;
    }

    @PostMapping
    ResponseEntity<Row> start(
            Principal caller,
            @RequestHeader("Idempotency-Key") @Nullable String idempotencyKey,
            @RequestBody ObjectNode request) {
        SelfAuditQueue.Submission submission = queue.submit(
                caller.name(), IdempotencyKey.of(idempotencyKey), Binder.bind(request, SelfAuditRequest.class));
        Row row = find(submission.id());
        ResponseEntity.BodyBuilder response = ResponseEntity.accepted().location(URI.create(PATH + row.id()));
        if (submission.replayed()) {
            response.header("Idempotent-Replayed", "true");
        }
        return response.body(row);
    }

    @GetMapping
    ResponseEntity<Page<Row>> list(@RequestParam(defaultValue = "") List<String> state, PageRequest page) {
        return page.read(
                        Long.MAX_VALUE,
                        (before, most) -> store.before(SimulationKind.SELF_AUDIT, AccessScope.ALL, before, most),
                        Row::seq,
                        row -> ListFilter.matches(state, row.state()))
                .response();
    }

    @GetMapping("/{id}")
    Row get(@PathVariable String id) {
        return find(id);
    }

    @GetMapping("/{id}/table")
    ResponseEntity<byte[]> table(@PathVariable String id) {
        Row row = find(id);
        byte[] bytes = store.csv(id)
                .orElseThrow(() -> ProblemException.of(
                        ProblemType.CONFLICT, "The self-audit has no result: it is %s.".formatted(row.state())))
                .getBytes(StandardCharsets.UTF_8);
        return ResponseEntity.ok().contentType(CSV).body(bytes);
    }

    @PostMapping("/{id}/cancel")
    Row cancel(@PathVariable String id) {
        if (!queue.cancel(find(id)) && !find(id).state().equals("CANCELLED")) {
            throw ProblemException.of(ProblemType.CONFLICT, "The self-audit has already ended.");
        }
        return find(id);
    }

    private Row find(String id) {
        return store.find(SimulationKind.SELF_AUDIT, id).orElseThrow(() -> ProblemException.notFound("self-audit", id));
    }
}
