package dev.spur.service.web;

import dev.spur.service.web.contract.Page;
import dev.spur.service.web.contract.PageRequest;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The audit trail, the newest change first. */
@RestController
class AuditController {
    private final AuditStore store;

    AuditController(AuditStore store) {
        this.store = store;
    }

    @GetMapping("/api/v1/audit")
    ResponseEntity<Page<AuditStore.Row>> list(
            @RequestParam @Nullable String principal,
            @RequestParam @Nullable String operation,
            @RequestParam @Nullable String kind,
            @RequestParam @Nullable String object,
            @RequestParam @Nullable Instant since,
            @RequestParam @Nullable Instant until,
            PageRequest page) {
        AuditStore.Filter filter = new AuditStore.Filter(principal, operation, kind, object, since, until);
        return page.read(Long.MAX_VALUE, (before, max) -> store.before(filter, before, max), AuditStore.Row::id)
                .response();
    }
}
