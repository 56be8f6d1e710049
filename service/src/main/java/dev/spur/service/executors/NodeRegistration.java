package dev.spur.service.executors;

import dev.spur.model.cluster.AcceleratorType;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.cluster.Pool;
import dev.spur.service.cluster.AcceleratorTypeStore;
import dev.spur.service.cluster.NodeStore;
import dev.spur.service.cluster.PoolStore;
import dev.spur.service.database.Versioned;
import dev.spur.service.web.contract.FieldError;
import dev.spur.service.web.contract.ProblemException;
import dev.spur.service.web.contract.ProblemType;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Registers the node of an executor. For an existing node, the executor determines type and devices. Pool, rack, host
 * resources, price and the draining state belong to the operator.
 */
@Component
class NodeRegistration {
    private final NodeStore nodes;
    private final PoolStore pools;
    private final AcceleratorTypeStore types;
    private final ExecutorProperties properties;

    NodeRegistration(NodeStore nodes, PoolStore pools, AcceleratorTypeStore types, ExecutorProperties properties) {
        this.nodes = nodes;
        this.pools = pools;
        this.types = types;
        this.properties = properties;
    }

    /**
     * Creates the node or reopens it. Call this in the transaction of the registration.
     *
     * @param beforeLoss state of the node before it was marked as lost with its executor; null if it was not
     * @throws ProblemException 404 or 422 if there is no such node and executors may register none
     */
    NodeState enter(String id, Registration registration, @Nullable NodeState beforeLoss) {
        Optional<NodeState> entered = Optional.empty();
        while (entered.isEmpty()) {
            Node known = nodes.lock(id).map(Versioned::value).orElse(null);
            if (!properties.registerNodes()) {
                demandAsRegistered(id, known, registration);
            }
            keepType(known, registration);
            entered = known == null
                    ? insert(create(id, registration))
                    : Optional.of(replace(known, update(known, registration, beforeLoss)));
        }
        return entered.get();
    }

    private void keepType(@Nullable Node known, Registration registration) {
        String type = registration.acceleratorType();
        if (type != null && (known == null || !type.equals(known.acceleratorType()))) {
            Integer together = registration.hasSlices() ? 1 : null;
            while (!types.keep(type)) {
                types.insert(new AcceleratorType(type, registration.acceleratorMemoryGiB(), together, null));
            }
        }
    }

    /**
     * The state of a new node; empty if another request has registered it at the same time, whose values take
     * precedence.
     */
    private Optional<NodeState> insert(Node node) {
        return nodes.insert(node) ? Optional.of(node.state()) : Optional.empty();
    }

    private NodeState replace(Node known, Node now) {
        if (!now.equals(known)) {
            nodes.replace(now);
        }
        return now.state();
    }

    private Node create(String id, Registration registration) {
        while (!pools.keep(registration.pool())) {
            pools.insert(new Pool(registration.pool(), false));
        }
        return new Node(
                        id,
                        registration.pool(),
                        registration.rack(),
                        registration.acceleratorType(),
                        registration.uuids(),
                        registration.cpus(),
                        registration.memoryGiB(),
                        registration.aggregationSlots(),
                        0,
                        NodeState.ACTIVE)
                .withLabels(registration.labels())
                .withSharedDevices(registration.sharesDevices());
    }

    private static Node update(Node known, Registration registration, @Nullable NodeState beforeLoss) {
        NodeState again = beforeLoss == null ? NodeState.ACTIVE : beforeLoss;
        boolean sameDevices = Set.copyOf(known.devices()).equals(Set.copyOf(registration.uuids()));
        return new Node(
                        known.id(),
                        known.pool(),
                        known.rack(),
                        registration.acceleratorType(),
                        sameDevices ? known.devices() : registration.uuids(),
                        known.cpus(),
                        known.memoryGiB(),
                        known.aggregationSlots(),
                        known.pricePerSlotHour(),
                        known.state() == NodeState.LOST ? again : known.state())
                .withLabels(known.labels())
                .withSharedDevices(registration.sharesDevices());
    }

    private static void demandAsRegistered(String id, @Nullable Node known, Registration registration) {
        if (known == null) {
            throw ProblemException.notFound("node", id);
        }
        List<FieldError> errors = new ArrayList<>();
        if (!Objects.equals(known.acceleratorType(), registration.acceleratorType())) {
            errors.add(FieldError.at("/acceleratorType", "differs from that of the node, " + known.acceleratorType()));
        }
        if (!Set.copyOf(known.devices()).equals(Set.copyOf(registration.uuids()))) {
            errors.add(FieldError.at("/devices", "differ from those of the node, " + known.devices()));
        }
        if (!errors.isEmpty()) {
            throw ProblemException.of(ProblemType.UNPROCESSABLE, errors);
        }
    }
}
