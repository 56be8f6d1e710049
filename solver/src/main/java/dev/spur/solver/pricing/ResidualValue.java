package dev.spur.solver.pricing;

import dev.spur.model.job.HostDemand;
import dev.spur.solver.program.NodeShareKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Value of the remaining capacity of a node at prices of pieces: the maximum over its packing patterns. */
final class ResidualValue {
    /** Units per CPU or GiB. */
    private static final double SCALE = 1e6;
    /** Units by which the remaining capacity may fall short of the demand of a piece. */
    private static final long TOLERANCE = 1;
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
                long cpus = units(kind.demand().cpusPerSlot());
                long memory = units(kind.demand().memoryGiBPerSlot());
                pieces.add(new Piece(kind.size(), kind.size() * cpus, kind.size() * memory, price));
                mostCpusPerSlot = Math.max(mostCpusPerSlot, cpus);
                mostMemoryPerSlot = Math.max(mostMemoryPerSlot, memory);
            }
        });
    }

    private static long units(double amount) {
        return Math.round(amount * SCALE);
    }

    /** Returns the maximum value of pieces cut from the remaining capacity. */
    double of(int slots, double cpus, double memory) {
        return of(slots, units(cpus), units(memory));
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
            if (piece.size() <= slots
                    && piece.cpus() <= rest.cpus() + TOLERANCE
                    && piece.memory() <= rest.memory() + TOLERANCE) {
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
