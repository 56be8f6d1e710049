package dev.spur.benchmarks.fractions;

import dev.spur.model.Checks;
import java.util.List;

/**
 * Place of a pod.
 *
 * @param node index of its node
 * @param gpus indexes of its GPUs on the node; empty without GPUs
 */
record Binding(int node, List<Integer> gpus) {
    Binding {
        gpus = Checks.copy(gpus);
    }
}
