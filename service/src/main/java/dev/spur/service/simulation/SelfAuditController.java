package dev.spur.service.simulation;

import dev.spur.service.contract.Binder;
import dev.spur.service.contract.IdempotencyKey;
import dev.spur.service.contract.Page;
import dev.spur.service.contract.PageRequest;
import dev.spur.service.security.AccessScope;
import dev.spur.service.security.Principal;
import dev.spur.service.simulation.SelfAuditQueue.SelfAuditRequest;
import dev.spur.service.simulation.SimulationStore.Row;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
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
class SelfAuditController extends QueuedWorkController {
    private final SelfAuditQueue audits;

    SelfAuditController(SelfAuditQueue audits, SimulationQueue queue, SimulationStore store) {
        super(SimulationKind.SELF_AUDIT, queue, store);
        this.audits = audits;
    }

    @PostMapping
    ResponseEntity<Row> start(
            Principal caller,
            @RequestHeader("Idempotency-Key") @Nullable String idempotencyKey,
            @RequestBody ObjectNode request) {
        return toResponse(audits.submit(
                caller.name(), IdempotencyKey.of(idempotencyKey), Binder.bind(request, SelfAuditRequest.class)));
    }

    @GetMapping
    ResponseEntity<Page<Row>> list(@RequestParam(defaultValue = "") List<String> state, PageRequest page) {
        return list(AccessScope.ALL, state, row -> true, page);
    }
}
