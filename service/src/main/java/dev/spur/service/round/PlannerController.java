package dev.spur.service.round;

import dev.spur.service.contract.ListFilter;
import dev.spur.service.contract.Page;
import dev.spur.service.contract.PageRequest;
import dev.spur.service.lease.LeaseStore;
import dev.spur.service.lease.Planner;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The replicas that plan. */
@RestController
class PlannerController {
    private final LeaseStore leases;

    PlannerController(LeaseStore leases) {
        this.leases = leases;
    }

    @GetMapping("/api/v1/planners")
    ResponseEntity<Page<Planner>> list(@RequestParam @Nullable String domain, PageRequest page) {
        return page.read("", leases::heldLeases, Planner::row, planner -> ListFilter.matches(domain, planner.domain()))
                .response();
    }
}
