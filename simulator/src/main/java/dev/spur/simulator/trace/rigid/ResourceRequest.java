package dev.spur.simulator.trace.rigid;

import dev.spur.model.Checks;
import dev.spur.model.job.HostDemand;
import java.util.List;

/**
 * Request of a recorded job in addition to the number of slots.
 *
 * @param types accelerator types it may run on; empty for all
 * @param host host resources of each slot
 * @param maxNodes allowed numbers of nodes
 */
record ResourceRequest(List<String> types, HostDemand host, MaxNodes maxNodes) {
    static final ResourceRequest NOTHING = new ResourceRequest(List.of(), HostDemand.NONE, MaxNodes.DOUBLING);

    ResourceRequest {
        types = Checks.copy(types);
    }
}
