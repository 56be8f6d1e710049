package dev.spur.model.dataprep;

import dev.spur.model.Checks;
import org.jspecify.annotations.Nullable;

/**
 * Memory of a node that is in use but not granted to any job. Nodes without an entry have no such use, and lend.
 *
 * @param node id of the node
 * @param usedGiB used part of the memory available to jobs, beyond the memory granted to jobs there, GiB
 * @param risk probability that this use grows into the memory that the node could lend, from 0 to 1
 * @param lendingRefusal why the node lends no memory; null if it lends
 */
public record MemoryUse(
        String node, double usedGiB, double risk, @Nullable String lendingRefusal) {
    public MemoryUse {
        Checks.nonBlank("node", node);
        Checks.atLeast("usedGiB", usedGiB, 0);
        Checks.require(risk >= 0 && risk <= 1, "risk (%s) must be from 0 to 1", risk);
    }
}
