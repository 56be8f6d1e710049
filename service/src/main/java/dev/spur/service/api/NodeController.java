package dev.spur.service.api;

import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.json.RoundJson;
import dev.spur.service.audit.AuditTrail;
import dev.spur.service.contract.ContractRequest;
import dev.spur.service.contract.MergePatch;
import dev.spur.service.contract.Page;
import dev.spur.service.round.RoundTrigger;
import dev.spur.service.store.NodeStore;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.node.ObjectNode;

/** Nodes. */
@RestController
@RequestMapping("/api/v1/nodes")
class NodeController {
    private final NamedResource<Node> nodes;
    private final MergePatch patches;

    NodeController(
            NodeStore store,
            NodeRules rules,
            MergePatch patches,
            TransactionTemplate transaction,
            RoundTrigger trigger,
            AuditTrail trail) {
        this.patches = patches;
        nodes = new NamedResource<>(
                new NamedResource.Kind<>("node", "id", Node.class, Node::id, rules),
                store,
                transaction,
                trigger,
                trail);
    }

    @GetMapping
    ResponseEntity<Page<Node>> list(ContractRequest request) {
        return nodes.list(
                request,
                node -> request.matches("pool", node.pool())
                        && request.matches("state", node.state())
                        && request.matches("acceleratorType", node.acceleratorType()));
    }

    @GetMapping("/{id}")
    ResponseEntity<Node> get(ContractRequest request) {
        return nodes.get(request);
    }

    @PutMapping("/{id}")
    ResponseEntity<Node> put(ContractRequest request) {
        return nodes.put(request);
    }

    @PatchMapping("/{id}")
    ResponseEntity<Node> patch(ContractRequest request) {
        return nodes.change(request, true, HttpStatus.OK, node -> patched(request, node));
    }

    private Node patched(ContractRequest request, Node node) {
        ObjectNode tree = RoundJson.mapper().valueToTree(node);
        return patches.apply("Node", tree, request.body(), Node.class);
    }

    @DeleteMapping("/{id}")
    ResponseEntity<Void> delete(ContractRequest request) {
        return nodes.delete(request);
    }

    @PostMapping("/{id}/drain")
    ResponseEntity<Node> drain(ContractRequest request) {
        return to(NodeState.DRAINING, request);
    }

    @PostMapping("/{id}/cordon")
    ResponseEntity<Node> cordon(ContractRequest request) {
        return to(NodeState.CORDONED, request);
    }

    @PostMapping("/{id}/activate")
    ResponseEntity<Node> activate(ContractRequest request) {
        return to(NodeState.ACTIVE, request);
    }

    @PostMapping("/{id}/mark-lost")
    ResponseEntity<Node> lost(ContractRequest request) {
        return to(NodeState.LOST, request);
    }

    private ResponseEntity<Node> to(NodeState state, ContractRequest request) {
        return nodes.change(request, false, HttpStatus.OK, node -> node.withState(state));
    }
}
