package dev.spur.service.simulation;

import dev.spur.model.Checks;
import dev.spur.model.objective.ObjectiveKind;
import dev.spur.simulator.cluster.ClusterFile;
import dev.spur.simulator.trace.synthetic.SyntheticSettings;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A simulation request. Members as in the contract. */
record SimulationRequest(
        String name,
        TraceChoice trace,
        List<String> policies,
        @Nullable ClusterFile cluster,
        @Nullable ObjectiveKind objective,
        double roundSeconds,
        long seed) {
    SimulationRequest {
        policies = Checks.copy(policies);
    }

    /** Source of the jobs. */
    enum Kind {
        /** Synthetic jobs. */
        GENERATED,
        /** Jobs in the request. */
        UPLOADED,
        /** Jobs of the live state. */
        LIVE
    }

    /** The jobs. Members as in the contract. */
    record TraceChoice(
            Kind kind,
            @Nullable SyntheticSettings generated,
            @Nullable JsonNode uploaded) {}

    /** Returns true if the simulation needs the live state. */
    boolean needsState() {
        return trace.kind == Kind.LIVE || cluster == null;
    }
}
