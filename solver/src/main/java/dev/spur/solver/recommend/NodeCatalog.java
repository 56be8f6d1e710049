package dev.spur.solver.recommend;

import dev.spur.model.Checks;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.cluster.AcceleratorType;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import dev.spur.solver.candidate.Candidate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** Catalog of the nodes that may be recommended for a job, as if all were free, with their prices. */
public final class NodeCatalog {
    private final List<Node> nodes;
    /** By name; nodes of a cluster are billed by the slot. */
    private final Map<String, NodeOffer> offers = new HashMap<>();
    /** By name, the types with known properties. */
    private final Map<String, AcceleratorType> types = new HashMap<>();

    private NodeCatalog(List<Node> nodes, List<NodeOffer> offers) {
        this.nodes = List.copyOf(nodes);
        for (NodeOffer offer : offers) {
            Checks.require(
                    this.offers.put(offer.name(), offer) == null, "name %s of nodes appears twice", offer.name());
        }
    }

    /** Returns a catalog of offered nodes; each name becomes a pool of its own. */
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

    /** Returns a catalog of the nodes of a cluster that accept new jobs. */
    public static NodeCatalog ofCluster(List<Node> nodes) {
        return new NodeCatalog(
                nodes.stream().filter(node -> node.state().takesNewJobs()).toList(), List.of());
    }

    /**
     * Adds the number of devices of each type that sum gradients among themselves; other types have no limit. Returns
     * this catalog.
     */
    public NodeCatalog withTypes(List<AcceleratorType> knownTypes) {
        knownTypes.forEach(
                type -> types.put(type.name(), new AcceleratorType(type.name(), 0, type.maxAllReduceSlots())));
        return this;
    }

    /** Returns the types of the nodes, by name, without their memory: the job states its batch sizes. */
    List<AcceleratorType> types() {
        return nodes.stream()
                .flatMap(node -> Optional.ofNullable(node.acceleratorType()).stream())
                .distinct()
                .map(name -> types.getOrDefault(name, new AcceleratorType(name, 0)))
                .toList();
    }

    /** Returns each node once. */
    public List<Node> nodes() {
        return nodes;
    }

    /** Returns the hourly price of {@code candidate}, on the cheapest nodes that hold it. */
    double pricePerHour(Candidate candidate) {
        Configuration configuration = candidate.configuration();
        NodeOffer offer = offers.get(configuration.pool());
        if (offer == null) {
            return cheapest(configuration) * candidate.devices() / candidate.slots();
        }
        double billedSlots = offer.billedWhole() ? offer.slots() * configuration.nodes() : candidate.devices();
        return offer.pricePerSlotHour() * billedSlots
                + offer.pricePerAggregationSlotHour() * configuration.aggregationSlots();
    }

    /**
     * The largest piece takes the cheapest node that holds it, and so on: a smaller one fits wherever a larger does.
     */
    private double cheapest(Configuration configuration) {
        List<Node> left = new ArrayList<>(nodes.stream()
                .filter(node -> node.pool().equals(configuration.pool())
                        && configuration.acceleratorType().equals(node.acceleratorType()))
                .sorted(Comparator.comparingDouble(Node::pricePerSlotHour))
                .toList());
        double price = 0;
        for (int piece : configuration.shape()) {
            Node node = left.stream()
                    .filter(other -> other.slots() >= piece)
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("no nodes hold %s".formatted(configuration)));
            left.remove(node);
            price += piece * node.pricePerSlotHour();
        }
        return price;
    }
}
