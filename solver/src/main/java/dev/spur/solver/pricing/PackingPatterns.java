package dev.spur.solver.pricing;

import dev.spur.solver.placement.ResidualCluster;
import dev.spur.solver.program.NodeShareKind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All maximal packing patterns of a node: sets of pieces to which no further piece fits. */
final class PackingPatterns implements PatternOracle {
    /** Number of patterns beyond which the enumeration ends without a result. */
    private static final int MOST = 20_000;
    /** Tolerance of CPUs and memory, at least that of the plan validator. */
    private static final double TOLERANCE = 1e-6;

    /** Remaining capacity of a node: slots, CPUs, GiB. */
    record ResidualNode(int slots, double cpus, double memory) {
        /** Returns the remaining capacity of node {@code v}. */
        static ResidualNode of(ResidualCluster left, int v) {
            return new ResidualNode(left.slots(v), left.cpus(v), left.memory(v));
        }

        boolean holds(NodeShareKind kind, int count) {
            int taken = kind.size() * count;
            return taken <= slots
                    && taken * kind.demand().cpusPerSlot() <= cpus + TOLERANCE
                    && taken * kind.demand().memoryGiBPerSlot() <= memory + TOLERANCE;
        }

        private ResidualNode without(NodeShareKind kind, int count) {
            int taken = kind.size() * count;
            return new ResidualNode(
                    slots - taken,
                    cpus - taken * kind.demand().cpusPerSlot(),
                    memory - taken * kind.demand().memoryGiBPerSlot());
        }
    }

    private final List<NodeShareKind> kinds;
    private final List<int[]> patterns = new ArrayList<>();
    private final int[] counts;

    private PackingPatterns(List<NodeShareKind> kinds) {
        this.kinds = kinds;
        this.counts = new int[kinds.size()];
    }

    /** Returns the patterns of a node with the capacity {@code rest}; null if there are too many. */
    static @Nullable PackingPatterns of(ResidualNode rest, List<NodeShareKind> kinds) {
        PackingPatterns patterns = new PackingPatterns(kinds);
        return patterns.extend(rest, 0) ? patterns : null;
    }

    private boolean extend(ResidualNode rest, int i) {
        if (i == counts.length) {
            if (kinds.stream().noneMatch(kind -> rest.holds(kind, 1))) {
                patterns.add(counts.clone());
            }
            return patterns.size() <= MOST;
        }
        NodeShareKind kind = kinds.get(i);
        int most = 0;
        while (rest.holds(kind, most + 1)) {
            most++;
        }
        for (int count = most; count >= 0; count--) {
            counts[i] = count;
            if (!extend(rest.without(kind, count), i + 1)) {
                return false;
            }
        }
        counts[i] = 0;
        return true;
    }

    /** Returns the number of pieces by kind of every pattern. Not to be modified. */
    List<int[]> all() {
        return patterns;
    }

    @Override
    public int[] best(double[] earned) {
        int[] best = patterns.get(0);
        double most = -1;
        for (int[] pattern : patterns) {
            double sum = 0;
            for (int k = 0; k < pattern.length; k++) {
                sum += pattern[k] * earned[k];
            }
            if (sum > most) {
                most = sum;
                best = pattern;
            }
        }
        return best;
    }
}
