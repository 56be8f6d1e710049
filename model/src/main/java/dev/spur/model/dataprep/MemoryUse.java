package dev.spur.model.dataprep;

import dev.spur.model.Checks;

/**
 * Memory of a node that is in use but not granted to any job. Nodes without an entry have no such use.
 *
 * @param node id of the node
 * @param usedGiB used part of the memory available to jobs, beyond the memory granted to jobs there, GiB
 * @param risk probability that this use grows into the memory that the node could lend, from 0 to 1
 */
public record MemoryUse(String node, double usedGiB, double risk) {
    public MemoryUse {
        Checks.nonBlank("node", node);
        Checks.atLeast("usedGiB", usedGiB, 0);
        Checks.require(risk >= 0 && risk <= 1, "risk (%s) must be from 0 to 1", risk);
    }
}
