package dev.spur.simulator.trace.rigid;

import dev.spur.model.Checks;
import dev.spur.model.job.HostDemand;
import java.util.List;

/**
 * What a recorded job asks for beside a number of slots.
 *
 * @param types accelerator types it may run on; empty for all
 * @param host what each slot needs of its node
 * @param spread over how many nodes it may be spread
 */
record ResourceRequest(List<String> types, HostDemand host, MaxNodes spread) {
    static final ResourceRequest NOTHING = new ResourceRequest(List.of(), HostDemand.NONE, MaxNodes.DOUBLING);

    ResourceRequest {
        types = Checks.copy(types);
    }
}
