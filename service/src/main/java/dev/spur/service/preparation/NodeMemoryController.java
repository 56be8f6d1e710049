package dev.spur.service.preparation;

import dev.spur.model.preparation.MemoryUse;
import dev.spur.service.contract.ContractRequest;
import dev.spur.service.contract.ProblemException;
import dev.spur.service.round.RoundTrigger;
import dev.spur.service.store.NodeMemoryStore;
import dev.spur.service.store.PlanStore;
import java.util.Objects;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Memory of a node that is in use beyond what jobs are granted there. */
@RestController
@RequestMapping("/api/v1/nodes/{id}/memory")
class NodeMemoryController {
    /** Change from which on an early round is worth its while, GiB. */
    private static final double NOTABLE_GIB = 1;

    private final NodeMemoryStore memory;
    private final PlanStore plans;
    private final TransactionTemplate transaction;
    private final RoundTrigger trigger;

    NodeMemoryController(
            NodeMemoryStore memory, PlanStore plans, TransactionTemplate transaction, RoundTrigger trigger) {
        this.memory = memory;
        this.plans = plans;
        this.transaction = transaction;
        this.trigger = trigger;
    }

    /** What is in use. Members as in the contract. */
    record Use(double usedGiB, double risk) {}

    @GetMapping
    Use get(ContractRequest request) {
        String node = known(request.text("id"));
        return memory.find(node).map(use -> new Use(use.usedGiB(), use.risk())).orElse(new Use(0, 0));
    }

    /** A lender whose use has grown is relieved by an early round. */
    @PutMapping
    Use put(ContractRequest request) {
        String node = known(request.text("id"));
        Use use = request.body(Use.class);
        return Objects.requireNonNull(transaction.execute(status -> {
            double before = memory.find(node).map(MemoryUse::usedGiB).orElse(0.0);
            if (!memory.put(new MemoryUse(node, use.usedGiB(), use.risk()))) {
                throw ProblemException.notFound("node", node);
            }
            if (Math.abs(use.usedGiB() - before) >= NOTABLE_GIB) {
                trigger.changed("memory of a node in use");
            }
            return use;
        }));
    }

    private String known(String node) {
        if (!plans.hasNode(node)) {
            throw ProblemException.notFound("node", node);
        }
        return node;
    }
}
