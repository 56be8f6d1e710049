package dev.spur.service.simulation;

import dev.spur.model.Checks;
import dev.spur.model.objective.ObjectiveKind;
import dev.spur.simulator.cluster.ClusterFile;
import dev.spur.simulator.trace.synthetic.SyntheticSettings;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A simulation request.
 *
 * @param name display name
 * @param policies names of policies, in the order in which they are replayed
 * @param cluster the nodes; null for those of the live state
 * @param objective objective of Spur's own policies; null for the current objective
 * @param roundSeconds time between two rounds
 * @param seed seed of every random choice
 */
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

    /**
     * The jobs.
     *
     * @param kind source of the jobs
     * @param generated settings of the generator; null unless the jobs are synthetic
     * @param uploaded models and jobs in the trace format of Spur; null unless the request contains them
     */
    record TraceChoice(
            Kind kind,
            @Nullable SyntheticSettings generated,
            @Nullable JsonNode uploaded) {}

    /** Returns true if the simulation needs the live state. */
    boolean needsState() {
        return trace.kind == Kind.LIVE || cluster == null;
    }
}
