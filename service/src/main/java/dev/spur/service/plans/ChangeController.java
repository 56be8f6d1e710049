package dev.spur.service.plans;

import dev.spur.service.jobs.AllocationChange;
import dev.spur.service.jobs.AllocationChangeStore;
import dev.spur.service.security.AccessScope;
import dev.spur.service.web.contract.Page;
import dev.spur.service.web.contract.PageRequest;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Changes of the allocations of all jobs over time, with the reasons that the plans state. */
@RestController
class ChangeController {
    private final AllocationChangeStore changes;

    ChangeController(AllocationChangeStore changes) {
        this.changes = changes;
    }

    @GetMapping("/api/v1/changes")
    ResponseEntity<Page<AllocationChange>> list(
            AccessScope scope,
            @RequestParam @Nullable Instant since,
            @RequestParam @Nullable Instant until,
            @RequestParam @Nullable String job,
            PageRequest page) {
        List<AllocationChange> found =
                changes.changes(scope, since, until, job, page.after(AllocationChangeStore.FIRST), page.limit() + 1);
        return Page.of(found, page.limit(), AllocationChange::id).response();
    }
}
