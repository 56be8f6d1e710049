package dev.spur.service.audit;

import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.spur.service.contract.ContractRequest;
import dev.spur.service.contract.Page;
import dev.spur.service.store.AuditStore;
import java.time.Instant;
import java.util.List;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The audit trail, the newest change first. */
@RestController
class AuditController {
    private final AuditStore store;

    AuditController(AuditStore store) {
        this.store = store;
    }

    /** A change as returned to clients. */
    record View(
            long id,
            Instant at,
            String principal,
            String credential,
            String address,
            String requestId,
            String operation,
            String kind,
            String object,
            @JsonRawValue String change) {
        static View of(AuditStore.Row row) {
            AuditStore.Change change = row.change();
            return new View(
                    row.id(),
                    row.at(),
                    change.principal(),
                    change.credential(),
                    change.address(),
                    change.requestId(),
                    change.operation(),
                    change.kind(),
                    change.object(),
                    change.change());
        }
    }

    @GetMapping("/api/v1/audit")
    ResponseEntity<Page<View>> list(ContractRequest request) {
        int limit = Page.limit(request);
        AuditStore.Filter filter = new AuditStore.Filter(
                request.optionalText("principal").orElse(null),
                request.optionalText("operation").orElse(null),
                request.optionalText("kind").orElse(null),
                request.optionalText("object").orElse(null),
                request.optionalText("since").map(Instant::parse).orElse(null),
                request.optionalText("until").map(Instant::parse).orElse(null));
        List<AuditStore.Row> found = store.before(filter, Page.after(request, Long.MAX_VALUE), limit + 1);
        return Page.of(found, limit, AuditStore.Row::id).map(View::of).answer(request);
    }
}
