package dev.spur.solver.pricing;

import dev.spur.solver.program.NodeShareKind;
import java.util.List;

/** Pricing of packing patterns where only slots count: an unbounded knapsack by dynamic programming over the slots. */
final class UnboundedKnapsack implements PatternOracle {
    private final int slots;
    private final int[] sizes;

    UnboundedKnapsack(int slots, List<NodeShareKind> kinds) {
        this.slots = slots;
        this.sizes = kinds.stream().mapToInt(NodeShareKind::size).toArray();
    }

    @Override
    public int[] best(double[] earned) {
        double[] most = new double[slots + 1];
        int[] last = new int[slots + 1];
        for (int s = 1; s <= slots; s++) {
            most[s] = most[s - 1];
            last[s] = -1;
            for (int k = 0; k < sizes.length; k++) {
                if (sizes[k] <= s && most[s - sizes[k]] + earned[k] > most[s]) {
                    most[s] = most[s - sizes[k]] + earned[k];
                    last[s] = k;
                }
            }
        }
        int[] pieces = new int[sizes.length];
        for (int s = slots; s > 0; s -= last[s] < 0 ? 1 : sizes[last[s]]) {
            if (last[s] >= 0) {
                pieces[last[s]]++;
            }
        }
        return pieces;
    }
}
