package dev.spur.model.dataprep;

import dev.spur.model.Checks;

/**
 * Memory of a node that is in use, and that nobody was granted. A node of which nothing is known uses nothing.
 *
 * @param node id of the node
 * @param usedGiB what is in use of the memory that jobs may use, beyond what jobs are granted there, GiB
 * @param risk chance that this grows into what the node could lend, from 0 to 1
 */
public record MemoryUse(String node, double usedGiB, double risk) {
    public MemoryUse {
        Checks.named("node", node);
        Checks.atLeast("usedGiB", usedGiB, 0);
        Checks.require(risk >= 0 && risk <= 1, "risk (%s) must be from 0 to 1", risk);
    }
}
