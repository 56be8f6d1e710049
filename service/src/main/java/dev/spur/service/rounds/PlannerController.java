package dev.spur.service.rounds;

import dev.spur.service.plans.LeaseStore;
import dev.spur.service.plans.Planner;
import dev.spur.service.web.contract.Page;
import dev.spur.service.web.contract.PageRequest;
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
    ResponseEntity<Page<Planner>> list(PageRequest page) {
        return page.read("", leases::heldLeases, Planner::replica).response();
    }
}
