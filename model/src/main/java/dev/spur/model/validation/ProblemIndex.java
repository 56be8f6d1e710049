package dev.spur.model.validation;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.cluster.AcceleratorType;
import dev.spur.model.cluster.MaintenanceWindow;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeRequirement;
import dev.spur.model.cluster.Pool;
import dev.spur.model.cluster.Reservation;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.job.Job;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.round.JobPins;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.tenant.TenantTree;
import dev.spur.model.utility.Goodput;
import dev.spur.model.utility.NodeTerms;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A problem with lookups for the plan validator. */
final class ProblemIndex {
    /** Tolerance of the comparison between predicted ends of jobs and starts of maintenance: one millisecond. */
    private static final double TOLERANCE_SECONDS = 1e-3;
    /** Rounding error of thousandths of CPUs that counts as nothing. */
    private static final double ROUNDING = 1e-6;

    final RoundProblem problem;
    private final Map<String, Job> jobs = new HashMap<>();
    private final Map<String, Node> nodes = new HashMap<>();
    private final Map<String, Set<String>> devices = new HashMap<>();
    private final Set<String> wholeNodePools = new HashSet<>();
    /** By node: active reservations. */
    private final Map<String, List<Reservation>> activeReservations = new HashMap<>();

    /** By node: upupcoming reservations with a lead for other jobs. */
    private final Map<String, List<Reservation>> upcomingReservations = new HashMap<>();

    /** By node: windows that have not ended, by start. */
    private final Map<String, List<MaintenanceWindow>> maintenance = new HashMap<>();

    private final Map<String, AcceleratorType> types = new HashMap<>();
    private final TenantTree tenants;
    private final JobPins pins;

    ProblemIndex(RoundProblem problem) {
        this.problem = problem;
        this.pins = JobPins.of(problem);
        problem.jobs().forEach(job -> jobs.put(job.id(), job));
        problem.acceleratorTypes().forEach(type -> types.put(type.name(), type));
        for (Node node : problem.nodes()) {
            nodes.put(node.id(), node);
            devices.put(node.id(), Set.copyOf(node.devices()));
        }
        problem.pools().stream().filter(Pool::wholeNodes).forEach(pool -> wholeNodePools.add(pool.name()));
        for (Reservation reservation : problem.reservations()) {
            if (reservation.holdsAt(problem.now())) {
                addByNode(activeReservations, reservation);
            } else if (reservation.aheadAt(problem.now()) != null) {
                addByNode(upcomingReservations, reservation);
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

    private static void addByNode(Map<String, List<Reservation>> reservationsByNode, Reservation reservation) {
        reservation
                .nodes()
                .forEach(node -> reservationsByNode
                        .computeIfAbsent(node, n -> new ArrayList<>())
                        .add(reservation));
    }

    /**
     * Returns a job.
     *
     * @throws IllegalArgumentException for an id that is not in the problem
     */
    Job job(String id) {
        Job job = jobs.get(id);
        if (job == null) {
            throw new IllegalArgumentException("job %s is not in the problem".formatted(id));
        }
        return job;
    }

    boolean hasJob(String id) {
        return jobs.containsKey(id);
    }

    @Nullable
    Node node(String id) {
        return nodes.get(id);
    }

    boolean hasDevice(String node, String device) {
        return devices.getOrDefault(node, Set.of()).contains(device);
    }

    /** Returns true if devices of the type support the strategy of {@code configuration}. */
    boolean supportsStrategy(Configuration configuration) {
        AcceleratorType type = types.get(configuration.acceleratorType());
        return configuration.strategy() != SyncStrategy.ALL_REDUCE
                || type == null
                || type.reducesOn(configuration.slots());
    }

    /**
     * Returns what the nodes of {@code allocation} contribute to its utility; those that the job keeps count as
     * preferred.
     */
    NodeTerms terms(Job job, Allocation allocation, ChangeMechanism change) {
        List<Node> known = nodesOf(allocation);
        double price = known.stream().mapToDouble(Node::pricePerSlotHour).max().orElse(0);
        return new NodeTerms(
                price, change.keepsProcesses() ? 1 : job.spec().elasticity().preferenceFactor(known));
    }

    boolean needsWholeNodes(String pool) {
        return wholeNodePools.contains(pool);
    }

    /** Returns true if the job is protected now: it must not be stopped, migrated or resized. */
    boolean mustStay(Job job) {
        return pins.isPinned(job);
    }

    /** Returns true if neither a reservation nor maintenance excludes the job from the node. */
    boolean admits(Job job, String node) {
        return !isInMaintenance(node)
                && activeReservations.getOrDefault(node, List.of()).stream()
                        .allMatch(reservation -> isFor(reservation, job));
    }

    /** Returns true if neither a reservation nor maintenance excludes {@code tenant} from the node. */
    boolean admits(String tenant, String node) {
        return !isInMaintenance(node)
                && activeReservations.getOrDefault(node, List.of()).stream()
                        .allMatch(reservation -> reservation.job() == null
                                && reservation.tenant() != null
                                && tenants.isWithin(tenant, reservation.tenant()));
    }

    private boolean isFor(Reservation reservation, Job job) {
        return reservation.tenant() != null
                && tenants.isWithin(job.tenant(), reservation.tenant())
                && (reservation.job() == null || reservation.job().equals(job.id()));
    }

    /** Returns true if the job could keep its allocation: its specification allows it, and its nodes let it stay. */
    boolean mayStay(Job job) {
        Allocation heldAllocation = job.allocation();
        return heldAllocation != null
                && AllocationCheck.isAllowed(job, heldAllocation.configuration())
                && supportsStrategy(heldAllocation.configuration())
                && job.spec().elasticity().allowsTogether(nodesOf(heldAllocation))
                && heldAllocation.placement().stream()
                        .map(NodeShare::node)
                        .allMatch(node -> letsStay(job, node)
                                && leavesBeforeMaintenance(job, heldAllocation.configuration(), true, node)
                                && leavesBeforeReservations(job, heldAllocation.configuration(), true, node));
    }

    private List<Node> nodesOf(Allocation allocation) {
        return allocation.placement().stream()
                .map(share -> nodes.get(share.node()))
                .filter(Objects::nonNull)
                .toList();
    }

    /** Returns true if the node is under maintenance now. */
    boolean isInMaintenance(String node) {
        MaintenanceWindow firstWindow = firstWindow(node);
        return firstWindow != null && firstWindow.start() <= problem.now();
    }

    /**
     * Returns true if the node is up, and neither under maintenance nor draining for it. Such a node accepts work
     * without a predicted end.
     */
    boolean acceptsWork(Node node) {
        MaintenanceWindow firstWindow = firstWindow(node.id());
        return node.state().takesNewJobs()
                && (firstWindow == null || problem.now() < firstWindow.start() - firstWindow.leadSeconds());
    }

    /**
     * Returns true if the next maintenance of the node, if any, permits the job to run there in {@code configuration}.
     */
    boolean leavesBeforeMaintenance(Job job, Configuration configuration, boolean stays, String node) {
        MaintenanceWindow firstWindow = firstWindow(node);
        return firstWindow == null || leavesBeforeMaintenance(job, configuration, stays, firstWindow);
    }

    /**
     * Returns true if upupcoming reservations of the node for others, with a lead, permit the job to run there in
     * {@code configuration}.
     */
    boolean leavesBeforeReservations(Job job, Configuration configuration, boolean stays, String node) {
        for (Reservation reservation : upcomingReservations.getOrDefault(node, List.of())) {
            MaintenanceWindow windowAhead = reservation.aheadAt(problem.now());
            if (windowAhead != null
                    && !isFor(reservation, job)
                    && !leavesBeforeMaintenance(job, configuration, stays, windowAhead)) {
                return false;
            }
        }
        return true;
    }

    private boolean leavesBeforeMaintenance(
            Job job, Configuration configuration, boolean stays, MaintenanceWindow firstWindow) {
        double now = problem.now();
        double restart = job.spec().restartPenaltySeconds();
        double left = stays ? job.restartSecondsLeft(now) : restart;
        double seconds = job.secondsToRelease(Goodput.of(job.spec(), configuration), left, now);
        double leaves = firstWindow.start() - Math.max(firstWindow.leadSeconds(), restart);
        boolean isMoved = stays
                ? now < leaves
                : job.spec().preemptible() && now + job.spec().protectionSeconds() < leaves;
        return isMoved || now + seconds <= firstWindow.start() + TOLERANCE_SECONDS;
    }

    private @Nullable MaintenanceWindow firstWindow(String node) {
        List<MaintenanceWindow> windows = maintenance.get(node);
        return windows == null ? null : windows.get(0);
    }

    private boolean letsStay(Job job, String id) {
        Node node = nodes.get(id);
        return node != null && node.state().letsJobsStay() && admits(job, id) && firstUnmet(job, node) == null;
    }

    /** Returns the first requirement of {@code job} that {@code node} does not meet; null if it meets all. */
    @Nullable
    NodeRequirement firstUnmet(Job job, Node node) {
        for (NodeRequirement requirement : job.spec().elasticity().requirements()) {
            if (!requirement.admits(node)) {
                return requirement;
            }
        }
        return null;
    }

    /**
     * Returns the thousandths of aggregation slots on nodes of {@code pool} that accept new jobs and have no active
     * reservation, without the shares of protected jobs.
     *
     * @param cpusOfSlots by node, the CPUs that slots take
     */
    long availableAggregation(String pool, Map<String, Double> cpusOfSlots) {
        Map<String, Long> taken = new HashMap<>();
        for (Job job : problem.jobs()) {
            if (job.allocation() != null && mustStay(job)) {
                job.allocation()
                        .aggregation()
                        .forEach(share -> taken.merge(share.node(), share.thousandths(), Long::sum));
            }
        }
        return problem.nodes().stream()
                .filter(node -> node.pool().equals(pool) && acceptsWork(node))
                .filter(node -> !activeReservations.containsKey(node.id()))
                .mapToLong(node -> {
                    double cpus = node.cpus() - cpusOfSlots.getOrDefault(node.id(), 0.0);
                    long open = Math.min(
                            Math.round(node.aggregationSlots() * 1000), (long) Math.floor(cpus * 1000 + ROUNDING));
                    return Math.max(0, open - taken.getOrDefault(node.id(), 0L));
                })
                .sum();
    }
}
