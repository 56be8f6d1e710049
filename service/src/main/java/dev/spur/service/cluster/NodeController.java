package dev.spur.service.cluster;

import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.json.RoundJson;
import dev.spur.service.database.DatabaseTime;
import dev.spur.service.database.RoundTrigger;
import dev.spur.service.security.AccessScope;
import dev.spur.service.web.AuditTrail;
import dev.spur.service.web.NamedResourceController;
import dev.spur.service.web.contract.FieldError;
import dev.spur.service.web.contract.ListFilter;
import dev.spur.service.web.contract.MergePatch;
import dev.spur.service.web.contract.Page;
import dev.spur.service.web.contract.PageRequest;
import dev.spur.service.web.contract.ProblemException;
import dev.spur.service.web.contract.ProblemType;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.node.ObjectNode;

/** Nodes. */
@RestController
@RequestMapping("/api/v1/nodes")
class NodeController extends NamedResourceController<Node, Node> {
    private final MergePatch patches;

    NodeController(
            NodeStore store,
            PoolStore pools,
            AcceleratorTypeStore types,
            MaintenanceStore maintenance,
            DatabaseTime time,
            MergePatch patches,
            RoundTrigger trigger,
            AuditTrail trail) {
        super(new Kind<>("node", Node::id, new Rules(store, pools, types, maintenance, time)), store, trigger, trail);
        this.patches = patches;
    }

    @GetMapping
    ResponseEntity<Page<Node>> list(
            @RequestParam @Nullable String pool,
            @RequestParam(defaultValue = "") List<String> state,
            @RequestParam @Nullable String acceleratorType,
            AccessScope scope,
            PageRequest page) {
        return list(
                        scope,
                        page,
                        node -> ListFilter.matches(pool, node.pool())
                                && ListFilter.matches(state, node.state())
                                && ListFilter.matches(acceleratorType, node.acceleratorType()))
                .response();
    }

    @Override
    @GetMapping("/{id}")
    public ResponseEntity<Node> get(@PathVariable String id) {
        return super.get(id);
    }

    @Override
    @PutMapping("/{id}")
    @Transactional
    public ResponseEntity<Node> put(
            @RequestBody Node node,
            @RequestHeader("If-Match") Optional<String> ifMatch,
            @RequestHeader("If-None-Match") Optional<String> ifNoneMatch,
            @RequestParam(defaultValue = "false") boolean dryRun,
            AccessScope scope) {
        return super.put(node, ifMatch, ifNoneMatch, dryRun, scope);
    }

    @PatchMapping("/{id}")
    @Transactional
    ResponseEntity<Node> patch(
            @PathVariable String id,
            @RequestHeader("If-Match") Optional<String> ifMatch,
            @RequestBody ObjectNode patch) {
        return change(
                id, ifMatch, node -> patches.apply("Node", RoundJson.mapper().valueToTree(node), patch, Node.class));
    }

    @Override
    @DeleteMapping("/{id}")
    @Transactional
    public ResponseEntity<Void> delete(@PathVariable String id, @RequestHeader("If-Match") Optional<String> ifMatch) {
        return super.delete(id, ifMatch);
    }

    @PostMapping("/{id}/drain")
    @Transactional
    ResponseEntity<Node> drain(@PathVariable String id) {
        return to(NodeState.DRAINING, id);
    }

    @PostMapping("/{id}/cordon")
    @Transactional
    ResponseEntity<Node> cordon(@PathVariable String id) {
        return to(NodeState.CORDONED, id);
    }

    @PostMapping("/{id}/activate")
    @Transactional
    ResponseEntity<Node> activate(@PathVariable String id) {
        return to(NodeState.ACTIVE, id);
    }

    @PostMapping("/{id}/mark-lost")
    @Transactional
    ResponseEntity<Node> markLost(@PathVariable String id) {
        return to(NodeState.LOST, id);
    }

    private ResponseEntity<Node> to(NodeState state, String id) {
        return change(id, node -> node.withState(state));
    }

    @Override
    protected Node view(Node node) {
        return node;
    }

    /**
     * Validation rules of a node that its schema cannot express. While jobs are on a node, its pool and accelerator
     * type cannot change and its devices cannot be reduced: their allocations refer to them.
     */
    private record Rules(
            NodeStore nodes,
            PoolStore pools,
            AcceleratorTypeStore types,
            MaintenanceStore maintenance,
            DatabaseTime time)
            implements NamedResourceController.Rules<Node> {
        @Override
        public void check(Node node, @Nullable Node before, List<FieldError> errors) {
            boolean samePool = before != null && node.pool().equals(before.pool());
            if (!samePool && !pools.keep(node.pool())) {
                errors.add(FieldError.at("/pool", "there is no pool " + node.pool()));
            }
            String type = node.acceleratorType();
            boolean sameType = before != null && Objects.equals(type, before.acceleratorType());
            if (type != null && !sameType && !types.keep(type)) {
                errors.add(FieldError.at("/acceleratorType", "there is no accelerator type " + type));
            }
            if (before != null && errors.isEmpty()) {
                checkAllocations(node, before);
            }
        }

        private void checkAllocations(Node node, Node before) {
            List<FieldError> changes = new ArrayList<>();
            if (!node.pool().equals(before.pool())) {
                changes.add(FieldError.at("/pool", "cannot change while jobs are on the node"));
            }
            if (!Objects.equals(node.acceleratorType(), before.acceleratorType())) {
                changes.add(FieldError.at("/acceleratorType", "cannot change while jobs are on the node"));
            }
            if (!node.devices().containsAll(before.devices())) {
                changes.add(FieldError.at("/devices", "cannot be reduced while jobs are on the node"));
            }
            if (!changes.isEmpty() && !nodes.jobsOn(node.id()).isEmpty()) {
                throw ProblemException.of(ProblemType.IN_USE, changes);
            }
        }

        @Override
        public List<String> usersOf(Node node) {
            List<String> users = new ArrayList<>();
            nodes.reservationsOf(node.id()).forEach(name -> users.add("reservation %s refers to it".formatted(name)));
            maintenance
                    .windowsOf(node.id(), time.now())
                    .forEach(name -> users.add("maintenance window %s refers to it".formatted(name)));
            if (node.state() != NodeState.LOST) {
                nodes.jobsOn(node.id()).forEach(job -> users.add("job %s is on it: drain it first".formatted(job)));
            }
            return users;
        }
    }
}
