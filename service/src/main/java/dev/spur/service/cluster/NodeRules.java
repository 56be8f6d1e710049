package dev.spur.service.cluster;

import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import dev.spur.service.contract.FieldError;
import dev.spur.service.contract.ProblemException;
import dev.spur.service.contract.ProblemType;
import dev.spur.service.resource.NamedResourceController;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Validation rules of a node that its schema cannot express. While jobs are on a node, its pool and accelerator type
 * cannot change and its devices cannot be reduced: their allocations refer to them.
 */
@Component
class NodeRules implements NamedResourceController.Rules<Node> {
    private final NodeStore nodes;
    private final PoolStore pools;
    private final AcceleratorTypeStore types;
    private final MaintenanceStore maintenance;

    NodeRules(NodeStore nodes, PoolStore pools, AcceleratorTypeStore types, MaintenanceStore maintenance) {
        this.nodes = nodes;
        this.pools = pools;
        this.types = types;
        this.maintenance = maintenance;
    }

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
                .windowsOf(node.id())
                .forEach(name -> users.add("maintenance window %s refers to it".formatted(name)));
        if (node.state() != NodeState.LOST) {
            nodes.jobsOn(node.id()).forEach(job -> users.add("job %s is on it: drain it first".formatted(job)));
        }
        return users;
    }
}
