package dev.spur.simulator.replay;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Simulated nodes with their failures and repairs. Each node has its own random sequence, so that its failures do not
 * depend on anything else.
 */
final class SimulatedNodes {
    private record Event(double time, int node, boolean fails) {}

    private final @Nullable NodeFailures failures;
    private final List<SplittableRandom> randoms = new ArrayList<>();
    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingDouble(Event::time).thenComparingInt(Event::node));
    private List<Node> nodes;

    SimulatedNodes(List<Node> nodes, @Nullable NodeFailures failures, long seed) {
        this.nodes = List.copyOf(nodes);
        this.failures = failures;
        if (failures != null) {
            SplittableRandom root = new SplittableRandom(seed);
            for (int v = 0; v < nodes.size(); v++) {
                randoms.add(root.split());
                events.add(new Event(lifetime(failures, v), v, true));
            }
        }
    }

    /** Returns the nodes in their current states; the same object as long as nothing has changed. */
    List<Node> nodes() {
        return nodes;
    }

    /** Returns the time of the next failure or repair; infinite if there is none. */
    double nextEvent() {
        Event next = events.peek();
        return next == null ? Double.POSITIVE_INFINITY : next.time();
    }

    /** Returns true if a repair of some node is pending. */
    boolean expectsRepairs() {
        return nodes.stream().anyMatch(node -> node.state() == NodeState.LOST);
    }

    /** Processes the next event. Returns the id of the node if it fails, null if it is repaired. */
    @Nullable
    String processEvent() {
        Event event = events.remove();
        NodeFailures knownFailures = failures;
        if (knownFailures == null) {
            throw new IllegalStateException(
                    "node %d has an event, but the settings have no failure model".formatted(event.node()));
        }
        Node node = nodes.get(event.node());
        List<Node> changed = new ArrayList<>(nodes);
        changed.set(event.node(), node.withState(event.fails() ? NodeState.LOST : NodeState.ACTIVE));
        nodes = List.copyOf(changed);
        double after = event.fails() ? knownFailures.repairSeconds() : lifetime(knownFailures, event.node());
        events.add(new Event(event.time() + after, event.node(), !event.fails()));
        return event.fails() ? node.id() : null;
    }

    private double lifetime(NodeFailures knownFailures, int node) {
        return -knownFailures.meanSecondsBetween()
                * Math.log1p(-randoms.get(node).nextDouble());
    }

    /** Returns true if {@code heldAllocation} includes resources of the node. */
    static boolean isOn(Allocation heldAllocation, String node) {
        return heldAllocation.placement().stream()
                        .anyMatch(share -> share.node().equals(node))
                || heldAllocation.aggregation().stream()
                        .anyMatch(share -> share.node().equals(node));
    }
}
