package dev.spur.service.round;

import dev.spur.service.contract.ContractRequest;
import dev.spur.service.contract.Page;
import dev.spur.service.store.LeaseStore;
import dev.spur.service.store.Planner;
import java.util.List;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The replicas that plan. */
@RestController
class PlannerController {
    private final LeaseStore leases;

    PlannerController(LeaseStore leases) {
        this.leases = leases;
    }

    @GetMapping("/api/v1/planners")
    ResponseEntity<Page<Planner>> list(ContractRequest request) {
        int limit = Page.limit(request);
        List<Planner> found = Page.matching(
                Page.after(request, ""),
                limit + 1,
                leases::held,
                Planner::row,
                planner -> request.matches("domain", planner.domain()));
        return Page.of(found, limit, Planner::row).answer(request);
    }
}
