package dev.spur.simulator.replay;

import dev.spur.model.Checks;
import dev.spur.model.cluster.AcceleratorType;
import dev.spur.model.cluster.MaintenanceWindow;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.Pool;
import dev.spur.model.cluster.Reservation;
import dev.spur.model.job.JobGroup;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.tenant.PastUsage;
import dev.spur.model.tenant.Tenant;
import dev.spur.simulator.cluster.ClusterFile;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.TraceJob;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Configuration of the cluster that is constant during a replay.
 *
 * @param types accelerator types
 * @param pools pools
 * @param nodes nodes in their initial states
 * @param reservations reservations of nodes; times are on the clock of the replay
 * @param maintenance maintenance windows of nodes; times are on the clock of the replay
 * @param tenants tree of tenants
 * @param groups groups of jobs with a cap
 * @param pastUsage usage of tenants before the replay begins, if fair share counts it
 */
public record ClusterConfig(
        List<AcceleratorType> types,
        List<Pool> pools,
        List<Node> nodes,
        List<Reservation> reservations,
        List<MaintenanceWindow> maintenance,
        List<Tenant> tenants,
        List<JobGroup> groups,
        List<PastUsage> pastUsage) {
    private static final String ROOT = "root";

    public ClusterConfig {
        types = Checks.copy(types);
        pools = Checks.copy(pools);
        nodes = Checks.copy(nodes);
        reservations = Checks.copy(reservations);
        maintenance = Checks.copy(maintenance);
        tenants = Checks.copy(tenants);
        groups = Checks.copy(groups);
        pastUsage = Checks.copy(pastUsage);
    }

    /** Returns the cluster of a file with the tenants of a trace, all of equal weight, without groups. */
    public static ClusterConfig of(ClusterFile cluster, Trace trace) {
        return new ClusterConfig(
                cluster.acceleratorTypes(),
                cluster.pools(),
                cluster.allNodes(),
                List.of(),
                List.of(),
                equalTenants(trace),
                List.of(),
                List.of());
    }

    /**
     * Returns this cluster with the tenants of {@code trace}, all of equal weight, and without reservations,
     * maintenance and groups.
     */
    public ClusterConfig withTenantsOf(Trace trace) {
        return new ClusterConfig(types, pools, nodes, List.of(), List.of(), equalTenants(trace), List.of(), List.of());
    }

    private static List<Tenant> equalTenants(Trace trace) {
        List<Tenant> tenants = new ArrayList<>(List.of(new Tenant(ROOT, null, 1, Map.of())));
        trace.jobs().stream()
                .map(TraceJob::tenant)
                .filter(name -> !name.equals(ROOT))
                .distinct()
                .sorted()
                .forEach(name -> tenants.add(new Tenant(name, ROOT, 1, Map.of())));
        return tenants;
    }

    /** Returns the configuration of the cluster in {@code problem}. */
    public static ClusterConfig of(RoundProblem problem) {
        return new ClusterConfig(
                problem.acceleratorTypes(),
                problem.pools(),
                problem.nodes(),
                problem.reservations(),
                problem.maintenance(),
                problem.tenants(),
                problem.groups(),
                problem.pastUsage());
    }

    /** Returns the number of slots of all nodes. */
    int slots() {
        return nodes.stream().mapToInt(Node::slots).sum();
    }
}
