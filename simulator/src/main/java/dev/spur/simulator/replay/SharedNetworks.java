package dev.spur.simulator.replay;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.cluster.AcceleratorType;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Slow-down of simulated jobs on several nodes by other such jobs on their nodes. */
final class SharedNetworks {
    /** Contention by type, above 0; a type without measured contention has none. */
    private final Map<String, Double> contention = new HashMap<>();

    SharedNetworks(Collection<AcceleratorType> types) {
        for (AcceleratorType type : types) {
            Double factor = type.contention();
            if (factor != null && factor > 0) {
                contention.put(type.name(), factor);
            }
        }
    }

    /** Applies the slow-down of each job from {@code now} on. The node with the most jobs is decisive. */
    void apply(Collection<ActiveJob> jobs, double now, Consumer<ActiveJob> onChange) {
        if (contention.isEmpty()) {
            return;
        }
        Map<String, Integer> onNode = new HashMap<>();
        for (ActiveJob job : jobs) {
            Allocation heldAllocation = job.allocation();
            if (heldAllocation != null && shares(heldAllocation)) {
                heldAllocation.placement().forEach(share -> onNode.merge(share.node(), 1, Integer::sum));
            }
        }
        for (ActiveJob job : jobs) {
            Allocation heldAllocation = job.allocation();
            if (heldAllocation != null && job.slowDown(factor(heldAllocation, onNode), now)) {
                onChange.accept(job);
            }
        }
    }

    private double factor(Allocation heldAllocation, Map<String, Integer> onNode) {
        if (!shares(heldAllocation)) {
            return 1;
        }
        int max = heldAllocation.placement().stream()
                .map(NodeShare::node)
                .mapToInt(node -> onNode.getOrDefault(node, 1))
                .max()
                .orElse(1);
        return 1 + contention.getOrDefault(heldAllocation.configuration().acceleratorType(), 0.0) * (max - 1);
    }

    private boolean shares(Allocation heldAllocation) {
        return heldAllocation.configuration().nodes() > 1
                && contention.containsKey(heldAllocation.configuration().acceleratorType());
    }
}
