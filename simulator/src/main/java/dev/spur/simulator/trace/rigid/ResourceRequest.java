package dev.spur.simulator.trace.rigid;

import dev.spur.model.Checks;
import dev.spur.model.job.HostDemand;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Request of a recorded job in addition to the number of slots.
 *
 * @param types accelerator types it may run on; empty for all
 * @param host host resources of each slot
 * @param maxNodes allowed numbers of nodes
 * @param deviceShare share of one accelerator, as in {@link dev.spur.model.job.Elasticity}; null for whole ones
 */
record ResourceRequest(
        List<String> types,
        HostDemand host,
        MaxNodes maxNodes,
        @Nullable Double deviceShare) {
    static final ResourceRequest NOTHING = new ResourceRequest(List.of(), HostDemand.NONE, MaxNodes.DOUBLING);

    ResourceRequest {
        types = Checks.copy(types);
    }

    /** A request for whole accelerators. */
    ResourceRequest(List<String> types, HostDemand host, MaxNodes maxNodes) {
        this(types, host, maxNodes, null);
    }
}
