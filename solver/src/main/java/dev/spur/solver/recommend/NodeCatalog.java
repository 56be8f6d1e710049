package dev.spur.solver.recommend;

import dev.spur.model.Checks;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.cluster.AcceleratorType;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import dev.spur.solver.candidate.NodeClass;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** The nodes that a job may be recommended, as if all of them were free, and what they cost. */
public final class NodeCatalog {
    private final List<Node> nodes;
    /** By name; nodes of a cluster are billed by the slot. */
    private final Map<String, NodeOffer> offers = new HashMap<>();
    /** By name: types of which more is known than that. */
    private final Map<String, AcceleratorType> types = new HashMap<>();

    private NodeCatalog(List<Node> nodes, List<NodeOffer> offers) {
        this.nodes = List.copyOf(nodes);
        for (NodeOffer offer : offers) {
            Checks.require(this.offers.put(offer.name(), offer) == null, "name %s of nodes stands twice", offer.name());
        }
    }

    /** Nodes that somebody offers; each name becomes a pool of its own. */
    public static NodeCatalog of(List<NodeOffer> offers) {
        List<Node> nodes = new ArrayList<>();
        for (NodeOffer offer : offers) {
            List<String> devices = IntStream.range(0, offer.slots())
                    .mapToObj(Integer::toString)
                    .toList();
            for (int i = 1; i <= offer.count(); i++) {
                nodes.add(new Node(
                        offer.name() + "-" + i,
                        offer.name(),
                        null,
                        offer.acceleratorType(),
                        devices,
                        offer.cpus(),
                        offer.memoryGiB(),
                        offer.aggregationSlots(),
                        offer.pricePerSlotHour(),
                        NodeState.ACTIVE));
            }
        }
        return new NodeCatalog(nodes, offers);
    }

    /** The nodes of a cluster that take new jobs. */
    public static NodeCatalog ofCluster(List<Node> nodes) {
        return new NodeCatalog(
                nodes.stream().filter(node -> node.state().takesNewJobs()).toList(), List.of());
    }

    /** Says how many devices of which type sum gradients among themselves; of others any number does. Returns this. */
    public NodeCatalog knowing(List<AcceleratorType> known) {
        known.forEach(type -> types.put(type.name(), new AcceleratorType(type.name(), 0, type.maxAllReduceSlots())));
        return this;
    }

    /** Types of the nodes, by name, without their memory: batch sizes are the job's own. */
    List<AcceleratorType> types() {
        return nodes.stream()
                .flatMap(node -> Optional.ofNullable(node.acceleratorType()).stream())
                .distinct()
                .map(name -> types.getOrDefault(name, new AcceleratorType(name, 0)))
                .toList();
    }

    /** Each node once. */
    public List<Node> nodes() {
        return nodes;
    }

    /** Price of {@code configuration} for an hour on nodes of a class. */
    double pricePerHour(Configuration configuration, NodeClass nodeClass) {
        NodeOffer offer = offers.get(configuration.pool());
        if (offer == null) {
            return nodeClass.price() * configuration.slots();
        }
        int paid = offer.billedWhole() ? offer.slots() * configuration.nodes() : configuration.slots();
        return offer.pricePerSlotHour() * paid + offer.pricePerAggregationSlotHour() * configuration.aggregationSlots();
    }
}
