package dev.spur.service.dataprep;

import dev.spur.service.contract.ProblemException;
import dev.spur.service.store.NodeMemoryStore;
import dev.spur.service.store.PlanStore;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Memory of a node in use beyond the grants of jobs. */
@RestController
@RequestMapping("/api/v1/nodes/{id}/memory")
class NodeMemoryController {
    private final NodeMemoryStore memory;
    private final PlanStore plans;
    private final MemoryLendingService desk;

    NodeMemoryController(NodeMemoryStore memory, PlanStore plans, MemoryLendingService desk) {
        this.memory = memory;
        this.plans = plans;
        this.desk = desk;
    }

    /** Memory in use. Members as in the contract. */
    record Use(double usedGiB, double risk) {}

    @GetMapping
    Use get(@PathVariable String id) {
        requireNode(id);
        return memory.find(id).map(use -> new Use(use.usedGiB(), use.risk())).orElse(new Use(0, 0));
    }

    /** A lender whose use has grown triggers an early round. */
    @PutMapping
    Use put(@PathVariable String id, @RequestBody MemoryLendingService.Report report) {
        requireNode(id);
        desk.take(id, report);
        return new Use(report.usedGiB(), report.risk());
    }

    private void requireNode(String node) {
        if (!plans.hasNode(node)) {
            throw ProblemException.notFound("node", node);
        }
    }
}
