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
record Wish(List<String> types, HostDemand host, Spread spread) {
    static final Wish NOTHING = new Wish(List.of(), HostDemand.NONE, Spread.DOUBLING);

    Wish {
        types = Checks.copy(types);
    }
}
