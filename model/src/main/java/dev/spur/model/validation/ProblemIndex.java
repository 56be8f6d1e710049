package dev.spur.model.validation;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.cluster.AcceleratorType;
import dev.spur.model.cluster.MaintenanceWindow;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.Pool;
import dev.spur.model.cluster.Reservation;
import dev.spur.model.job.Job;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.tenant.TenantTree;
import dev.spur.model.utility.Goodput;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A problem, indexed for the judge. */
final class ProblemIndex {
    /** Ends are compared with starts of maintenance to the millisecond. */
    private static final double TOLERANCE_SECONDS = 1e-3;

    final RoundProblem problem;
    private final Map<String, Job> jobs = new HashMap<>();
    private final Map<String, Node> nodes = new HashMap<>();
    private final Map<String, Set<String>> devices = new HashMap<>();
    private final Set<String> wholeNodePools = new HashSet<>();
    /** By node: reservations that hold now. */
    private final Map<String, List<Reservation>> holding = new HashMap<>();

    /** By node: reservations that begin, and for which others leave ahead. */
    private final Map<String, List<Reservation>> coming = new HashMap<>();

    /** By node: windows that have not ended, the first to begin first. */
    private final Map<String, List<MaintenanceWindow>> maintenance = new HashMap<>();

    private final Map<String, AcceleratorType> types = new HashMap<>();
    private final TenantTree tenants;

    ProblemIndex(RoundProblem problem) {
        this.problem = problem;
        problem.jobs().forEach(job -> jobs.put(job.id(), job));
        problem.acceleratorTypes().forEach(type -> types.put(type.name(), type));
        for (Node node : problem.nodes()) {
            nodes.put(node.id(), node);
            devices.put(node.id(), Set.copyOf(node.devices()));
        }
        problem.pools().stream().filter(Pool::wholeNodes).forEach(pool -> wholeNodePools.add(pool.name()));
        for (Reservation reservation : problem.reservations()) {
            if (reservation.holdsAt(problem.now())) {
                addByNode(holding, reservation);
            } else if (reservation.aheadAt(problem.now()) != null) {
                addByNode(coming, reservation);
            }
        }
        problem.maintenance().stream()
                .filter(window -> problem.now() < window.end())
                .sorted(Comparator.comparingDouble(MaintenanceWindow::start))
                .forEach(window -> window.nodes()
                        .forEach(node -> maintenance
                                .computeIfAbsent(node, n -> new ArrayList<>())
                                .add(window)));
        tenants = new TenantTree(problem.tenants());
    }

    private static void addByNode(Map<String, List<Reservation>> byNode, Reservation reservation) {
        reservation
                .nodes()
                .forEach(node ->
                        byNode.computeIfAbsent(node, n -> new ArrayList<>()).add(reservation));
    }

    /** @throws IllegalArgumentException for an id that is not in the problem */
    Job job(String id) {
        Job job = jobs.get(id);
        if (job == null) {
            throw new IllegalArgumentException("job %s is not in the problem".formatted(id));
        }
        return job;
    }

    boolean knowsJob(String id) {
        return jobs.containsKey(id);
    }

    @Nullable
    Node node(String id) {
        return nodes.get(id);
    }

    boolean hasDevice(String node, String device) {
        return devices.getOrDefault(node, Set.of()).contains(device);
    }

    /** True if devices of the type can be what {@code configuration} makes of them. */
    boolean canSum(Configuration configuration) {
        AcceleratorType type = types.get(configuration.acceleratorType());
        return configuration.strategy() != SyncStrategy.ALL_REDUCE
                || type == null
                || type.reducesOn(configuration.slots());
    }

    double price(String node) {
        Node known = nodes.get(node);
        return known == null ? 0 : known.pricePerSlotHour();
    }

    boolean needsWholeNodes(String pool) {
        return wholeNodePools.contains(pool);
    }

    /** True if the job may neither be stopped nor moved nor resized now. */
    boolean mustStay(Job job) {
        return job.allocation() != null && (!job.spec().preemptible() || job.isProtectedAt(problem.now()));
    }

    /** True if neither a reservation nor maintenance keeps the job off the node. */
    boolean isOpenTo(Job job, String node) {
        return !isInMaintenance(node)
                && holding.getOrDefault(node, List.of()).stream().allMatch(reservation -> isFor(reservation, job));
    }

    /** True if neither a reservation nor maintenance keeps {@code tenant} off the node. */
    boolean isOpenTo(String tenant, String node) {
        return !isInMaintenance(node)
                && holding.getOrDefault(node, List.of()).stream()
                        .allMatch(reservation -> reservation.job() == null
                                && reservation.tenant() != null
                                && tenants.isWithin(tenant, reservation.tenant()));
    }

    private boolean isFor(Reservation reservation, Job job) {
        return reservation.tenant() != null
                && tenants.isWithin(job.tenant(), reservation.tenant())
                && (reservation.job() == null || reservation.job().equals(job.id()));
    }

    /** True if the job could keep what it holds: allowed by its request, on nodes that let it stay. */
    boolean mayStay(Job job) {
        Allocation held = job.allocation();
        return held != null
                && AllocationCheck.isAllowed(job, held.configuration())
                && canSum(held.configuration())
                && held.placement().stream()
                        .map(NodeShare::node)
                        .allMatch(node -> letsStay(job, node)
                                && leavesInTime(job, held.configuration(), true, node)
                                && leavesForOthersInTime(job, held.configuration(), true, node));
    }

    /** True if the node is worked on now. */
    boolean isInMaintenance(String node) {
        MaintenanceWindow first = firstWindow(node);
        return first != null && first.start() <= problem.now();
    }

    /** True if the node is up, and neither in maintenance nor draining for it: what has no end of its own may come. */
    boolean takesAnything(Node node) {
        MaintenanceWindow first = firstWindow(node.id());
        return node.state().takesNewJobs() && (first == null || problem.now() < first.start() - first.leadSeconds());
    }

    /** True if maintenance of the node, where it is ahead, lets the job be there in {@code configuration}. */
    boolean leavesInTime(Job job, Configuration configuration, boolean stays, String node) {
        MaintenanceWindow first = firstWindow(node);
        return first == null || leavesInTime(job, configuration, stays, first);
    }

    /**
     * True if reservations of the node for others, where they are ahead and have a lead, let the job be there in
     * {@code configuration}.
     */
    boolean leavesForOthersInTime(Job job, Configuration configuration, boolean stays, String node) {
        for (Reservation reservation : coming.getOrDefault(node, List.of())) {
            MaintenanceWindow ahead = reservation.aheadAt(problem.now());
            if (ahead != null && !isFor(reservation, job) && !leavesInTime(job, configuration, stays, ahead)) {
                return false;
            }
        }
        return true;
    }

    private boolean leavesInTime(Job job, Configuration configuration, boolean stays, MaintenanceWindow first) {
        double now = problem.now();
        double restart = job.spec().restartPenaltySeconds();
        double left = stays ? job.restartSecondsLeft(now) : restart;
        double seconds = job.remainingSamples() / Goodput.of(job.spec(), configuration);
        double leaves = first.start() - Math.max(first.leadSeconds(), restart);
        boolean isMoved = stays
                ? now < leaves
                : job.spec().preemptible() && now + Math.max(restart, job.spec().minRunSeconds()) < leaves;
        return isMoved || now + left + seconds <= first.start() + TOLERANCE_SECONDS;
    }

    private @Nullable MaintenanceWindow firstWindow(String node) {
        List<MaintenanceWindow> windows = maintenance.get(node);
        return windows == null ? null : windows.get(0);
    }

    private boolean letsStay(Job job, String id) {
        Node node = nodes.get(id);
        return node != null && node.state().letsJobsStay() && isOpenTo(job, id);
    }

    /**
     * Thousandths of aggregation slots on nodes of {@code pool} that take new jobs and are reserved for nobody, without
     * what the shares of untouchable jobs take of each.
     */
    long openAggregation(String pool) {
        Map<String, Long> taken = new HashMap<>();
        for (Job job : problem.jobs()) {
            if (job.allocation() != null && mustStay(job)) {
                job.allocation()
                        .aggregation()
                        .forEach(share -> taken.merge(share.node(), share.thousandths(), Long::sum));
            }
        }
        return problem.nodes().stream()
                .filter(node -> node.pool().equals(pool) && takesAnything(node))
                .filter(node -> !holding.containsKey(node.id()))
                .mapToLong(node ->
                        Math.max(0, Math.round(node.aggregationSlots() * 1000) - taken.getOrDefault(node.id(), 0L)))
                .sum();
    }
}
