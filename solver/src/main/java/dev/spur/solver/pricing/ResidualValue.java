package dev.spur.solver.pricing;

import dev.spur.model.job.HostDemand;
import dev.spur.solver.placement.HostUnits;
import dev.spur.solver.program.NodeShareKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Value of the remaining capacity of a node at prices of pieces: the maximum over its packing patterns. */
final class ResidualValue {
    /** Number of cached capacities beyond which no more are added; further ones get the value 0. */
    private static final int MOST = 200_000;

    private record ResidualNode(int slots, long cpus, long memory) {}

    private record Piece(int size, long cpus, long memory, double price) {}

    private final List<Piece> pieces = new ArrayList<>();
    private final Map<ResidualNode, Double> known = new HashMap<>();
    private long mostCpusPerSlot;
    private long mostMemoryPerSlot;

    /** @param prices price by kind of piece; kinds with the price 0 are ignored */
    ResidualValue(Map<NodeShareKind, Double> prices) {
        prices.forEach((kind, price) -> {
            if (price > 0) {
                HostDemand demand = kind.demand();
                pieces.add(new Piece(
                        kind.size(),
                        HostUnits.demand(kind.size() * demand.cpusPerSlot()),
                        HostUnits.demand(kind.size() * demand.memoryGiBPerSlot()),
                        price));
                mostCpusPerSlot = Math.max(mostCpusPerSlot, HostUnits.supply(demand.cpusPerSlot()));
                mostMemoryPerSlot = Math.max(mostMemoryPerSlot, HostUnits.supply(demand.memoryGiBPerSlot()));
            }
        });
    }

    /** Returns the maximum value of pieces cut from the remaining capacity. */
    double of(int slots, double cpus, double memory) {
        return of(slots, HostUnits.supply(cpus), HostUnits.supply(memory));
    }

    /**
     * Returns the loss of value when a piece of {@code size} slots with {@code demand} per slot is cut from the
     * remaining capacity.
     */
    double lost(int slots, double cpus, double memory, int size, HostDemand demand) {
        return of(slots, cpus, memory)
                - of(slots - size, cpus - size * demand.cpusPerSlot(), memory - size * demand.memoryGiBPerSlot());
    }

    private double of(int slots, long cpus, long memory) {
        // Capacity above the largest possible demand has no value.
        ResidualNode rest = new ResidualNode(
                slots,
                Math.max(0, Math.min(cpus, slots * mostCpusPerSlot)),
                Math.max(0, Math.min(memory, slots * mostMemoryPerSlot)));
        Double before = known.get(rest);
        if (before != null) {
            return before;
        }
        if (known.size() >= MOST) {
            return 0;
        }
        double most = 0;
        for (Piece piece : pieces) {
            if (piece.size() <= slots && piece.cpus() <= rest.cpus() && piece.memory() <= rest.memory()) {
                most = Math.max(
                        most,
                        piece.price()
                                + of(slots - piece.size(), rest.cpus() - piece.cpus(), rest.memory() - piece.memory()));
            }
        }
        known.put(rest, most);
        return most;
    }
}
