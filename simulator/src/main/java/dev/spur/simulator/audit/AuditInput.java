package dev.spur.simulator.audit;

import dev.spur.model.Checks;
import dev.spur.simulator.replay.ClusterConfig;
import dev.spur.simulator.replay.ReplaySettings;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.TraceJob;
import java.util.List;
import java.util.Set;

/**
 * Input of a self-audit.
 *
 * @param trace jobs with the information that the scheduler had
 * @param oracleTrace the same jobs with complete information
 * @param counted ids of the jobs whose completion times count; the others only take slots
 * @param cluster cluster of the replays
 * @param settings settings of the replay that represents the scheduler as it ran
 */
public record AuditInput(
        Trace trace, Trace oracleTrace, Set<String> counted, ClusterConfig cluster, ReplaySettings settings) {
    public AuditInput {
        counted = Set.copyOf(counted);
        List<String> ids = trace.jobs().stream().map(TraceJob::id).toList();
        Checks.require(
                ids.equals(oracleTrace.jobs().stream().map(TraceJob::id).toList()),
                "the %s jobs of the trace and the %s jobs of the oracle differ",
                ids.size(),
                oracleTrace.jobs().size());
    }
}
