package dev.spur.service.dataprep;

import dev.spur.service.contract.ContractRequest;
import dev.spur.service.contract.ProblemException;
import dev.spur.service.store.NodeMemoryStore;
import dev.spur.service.store.PlanStore;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PutMapping;
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
    Use get(ContractRequest request) {
        String node = known(request.text("id"));
        return memory.find(node).map(use -> new Use(use.usedGiB(), use.risk())).orElse(new Use(0, 0));
    }

    /** A lender whose use has grown triggers an early round. */
    @PutMapping
    Use put(ContractRequest request) {
        String node = known(request.text("id"));
        MemoryLendingService.Report report = request.body(MemoryLendingService.Report.class);
        desk.take(node, report);
        return new Use(report.usedGiB(), report.risk());
    }

    private String known(String node) {
        if (!plans.hasNode(node)) {
            throw ProblemException.notFound("node", node);
        }
        return node;
    }
}
