package dev.spur.service.api;

import dev.spur.service.cluster.NodeMemoryStore;
import dev.spur.service.plans.PlanStore;
import dev.spur.service.web.contract.ProblemException;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Memory of nodes in use beyond the grants of jobs. */
@RestController
class MemoryController {
    private static final String NODE = "/api/v1/nodes/{id}/memory";

    private final NodeMemoryStore memory;
    private final PlanStore plans;
    private final MemoryLendingService lending;

    MemoryController(NodeMemoryStore memory, PlanStore plans, MemoryLendingService lending) {
        this.memory = memory;
        this.plans = plans;
        this.lending = lending;
    }

    /** Memory in use. Members as in the contract. */
    record Use(double usedGiB, double risk, @Nullable String lendingRefusal) {}

    @GetMapping(NODE)
    Use get(@PathVariable String id) {
        requireNode(id);
        return memory.find(id)
                .map(use -> new Use(use.usedGiB(), use.risk(), use.lendingRefusal()))
                .orElse(new Use(0, 0, null));
    }

    /** A lender whose use has grown triggers an early round. */
    @PutMapping(NODE)
    Use put(@PathVariable String id, @RequestBody MemoryLendingService.Report report) {
        requireNode(id);
        lending.take(id, report);
        return new Use(report.usedGiB(), report.risk(), report.lendingRefusal());
    }

    private void requireNode(String node) {
        if (!plans.hasNode(node)) {
            throw ProblemException.notFound("node", node);
        }
    }
}
