package dev.spur.service.simulation;

import dev.spur.model.Checks;
import dev.spur.model.objective.ObjectiveKind;
import dev.spur.simulator.cluster.ClusterFile;
import dev.spur.simulator.trace.synthetic.SyntheticSettings;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What is to be simulated.
 *
 * @param name what to call it
 * @param trace the jobs
 * @param policies names of policies, in the order in which they are replayed
 * @param cluster the nodes; null for those of the live state
 * @param objective what Spur's own policies plan for; null for that in force
 * @param roundSeconds time between two rounds
 * @param seed of every random choice
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

    /** Where jobs come from. */
    enum Kind {
        /** They are made up. */
        GENERATED,
        /** The request brings them. */
        UPLOADED,
        /** They are those of the live state. */
        LIVE
    }

    /**
     * The jobs.
     *
     * @param kind where they come from
     * @param generated how they are made up; null unless they are
     * @param uploaded models and jobs as in a trace of Spur; null unless the request brings them
     */
    record TraceChoice(
            Kind kind,
            @Nullable SyntheticSettings generated,
            @Nullable JsonNode uploaded) {}

    /** True if the live state is needed. */
    boolean needsState() {
        return trace.kind == Kind.LIVE || cluster == null;
    }
}
