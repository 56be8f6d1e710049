package dev.spur.solver.candidate;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.cluster.AcceleratorType;
import dev.spur.model.cluster.MaintenanceWindow;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.Pool;
import dev.spur.model.cluster.Reservation;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobSpec;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.round.Maintenance;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.tenant.TenantTree;
import dev.spur.model.utility.Goodput;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The nodes of a problem, numbered in its order, and their classes. */
public final class ClusterIndex {
    /** Properties in which the nodes of a class are equal. */
    private record NodeClassKey(
            NodeClassName place,
            int slots,
            double pricePerSlotHour,
            Set<ReservationHolder> holders,
            @Nullable Drain drain,
            List<String> upcomingReservations,
            @Nullable Double reservedFrom) {}

    /** Part of an upcoming maintenance window that determines which jobs it admits. */
    private record Drain(double start, double leadSeconds) {}

    private final double now;
    private final List<Node> nodes;
    private final List<NodeClass> classes = new ArrayList<>();
    private final int[] classOf;
    private final Map<String, Integer> indexOf = new HashMap<>();
    private final Map<String, Set<ReservationHolder>> holdersOf = new HashMap<>();
    private final Set<String> closed = new HashSet<>();
    /** By node that accepts only jobs that end in time: the time. */
    private final Map<String, Double> reservedFrom;
    private final Set<String> wholeNodePools = new HashSet<>();
    private final Map<String, Long> aggregation = new HashMap<>();
    private final Map<String, AcceleratorType> types = new HashMap<>();
    private final TenantTree tenants;
    private final Maintenance maintenance;
    private final NodeReservations coming;
    /**
     * Windows that keep some job off their nodes: only these split classes of nodes, so that gangs may span the others.
     */
    private final Set<MaintenanceWindow> minded = new HashSet<>();

    public ClusterIndex(RoundProblem problem) {
        this(problem, Map.of());
    }

    /** @param reservedFrom by id of a node that accepts only jobs that are expected to end in time: the time */
    ClusterIndex(RoundProblem problem, Map<String, Double> reservedFrom) {
        this.now = problem.now();
        this.reservedFrom = Map.copyOf(reservedFrom);
        nodes = problem.nodes();
        problem.acceleratorTypes().forEach(type -> types.put(type.name(), type));
        tenants = new TenantTree(problem.tenants());
        problem.pools().stream().filter(Pool::wholeNodes).forEach(pool -> wholeNodePools.add(pool.name()));
        problem.reservations().stream()
                .filter(reservation -> reservation.holdsAt(problem.now()))
                .forEach(this::reserve);
        maintenance = new Maintenance(problem);
        coming = new NodeReservations(problem, tenants, maintenance);
        problem.maintenance().stream()
                .filter(window -> problem.jobs().stream().anyMatch(job -> maintenance.concerns(job, window)))
                .forEach(minded::add);
        classOf = new int[nodes.size()];
        Arrays.fill(classOf, -1);
        buildClasses();
    }

    private void reserve(Reservation reservation) {
        for (String node : reservation.nodes()) {
            if (reservation.tenant() == null) {
                closed.add(node);
            } else {
                holdersOf.computeIfAbsent(node, n -> new HashSet<>()).add(ReservationHolder.of(reservation));
            }
        }
    }

    private void buildClasses() {
        Map<NodeClassKey, List<Integer>> alike = new LinkedHashMap<>();
        for (int v = 0; v < nodes.size(); v++) {
            Node node = nodes.get(v);
            indexOf.put(node.id(), v);
            if (offersAggregation(node)) {
                aggregation.merge(node.pool(), Math.round(node.aggregationSlots() * 1000), Long::sum);
            }
            if (node.slots() > 0 && node.state().takesNewJobs() && !isClosed(node.id())) {
                alike.computeIfAbsent(keyOf(node), k -> new ArrayList<>()).add(v);
            }
        }
        Map<NodeClassName, Integer> classesOfPlace = new HashMap<>();
        alike.keySet().forEach(key -> classesOfPlace.merge(key.place(), 1, Integer::sum));
        alike.forEach((key, members) -> addClass(classesOfPlace.getOrDefault(key.place(), 0) == 1, members));
    }

    private NodeClassKey keyOf(Node node) {
        MaintenanceWindow ahead = upcoming(node.id());
        return new NodeClassKey(
                NodeClassName.of(node),
                node.slots(),
                node.pricePerSlotHour(),
                holders(node.id()),
                ahead == null ? null : new Drain(ahead.start(), ahead.leadSeconds()),
                coming.excludingJobs(node.id()),
                reservedFrom.get(node.id()));
    }

    /** Returns the next maintenance of {@code node} if it keeps some job off; otherwise null. */
    private @Nullable MaintenanceWindow upcoming(String node) {
        MaintenanceWindow ahead = maintenance.ahead(node);
        return ahead != null && minded.contains(ahead) ? ahead : null;
    }

    private boolean isClosed(String node) {
        return closed.contains(node) || maintenance.holds(node);
    }

    private void addClass(boolean unique, List<Integer> members) {
        Node first = nodes.get(members.get(0));
        int index = classes.size();
        for (int v : members) {
            classOf[v] = index;
        }
        classes.add(new NodeClass(
                index,
                unique ? NodeClassName.of(first) : NodeClassName.like(first),
                first.slots(),
                max(members, Node::cpus),
                max(members, Node::memoryGiB),
                first.pricePerSlotHour(),
                upcoming(first.id()),
                members));
    }

    private double max(List<Integer> members, ToDoubleFunction<Node> amount) {
        return members.stream()
                .mapToDouble(v -> amount.applyAsDouble(nodes.get(v)))
                .max()
                .orElse(0);
    }

    private Set<ReservationHolder> holders(String node) {
        return holdersOf.getOrDefault(node, Set.of());
    }

    /** All nodes, in the order of the problem. */
    public List<Node> nodes() {
        return nodes;
    }

    /** Returns the classes of schedulable nodes, in the order of their first nodes. */
    public List<NodeClass> classes() {
        return classes;
    }

    /** Returns the index of the class of node {@code v}; -1 if the node accepts no jobs. */
    public int classOf(int v) {
        return classOf[v];
    }

    /** Number of the node {@code id}; the id is one of the problem. */
    public int indexOf(String id) {
        Integer index = indexOf.get(id);
        if (index == null) {
            throw new IllegalArgumentException("node %s is not in the problem".formatted(id));
        }
        return index;
    }

    /** Returns whether active reservations admit {@code job} to the class. */
    public boolean isOpen(NodeClass nodeClass, Job job) {
        return isIncluded(job, nodes.get(nodeClass.nodes().get(0)).id());
    }

    /** Returns whether active reservations admit {@code job} to node {@code v}. */
    public boolean isOpen(int v, Job job) {
        String id = nodes.get(v).id();
        return !isClosed(id) && isIncluded(job, id);
    }

    /**
     * Returns whether upcoming maintenance and reservations admit {@code job} to the class at {@code goodput} effective
     * samples per second.
     */
    public boolean admits(NodeClass nodeClass, Job job, double goodput) {
        MaintenanceWindow ahead = nodeClass.ahead();
        String first = nodes.get(nodeClass.nodes().get(0)).id();
        return endsInTime(first, job, goodput)
                && (ahead == null || maintenance.admits(job, goodput, ahead))
                && coming.admit(first, job, goodput);
    }

    private boolean endsInTime(String node, Job job, double goodput) {
        Double time = reservedFrom.get(node);
        double stall = job.spec().restartPenaltySeconds();
        return time == null || (goodput > 0 && now + stall + job.remainingSamples() / goodput <= time);
    }

    /**
     * Returns the reservation that keeps {@code job} off {@code node}, active or because the job would not leave in
     * time; null if there is none.
     */
    public @Nullable Reservation keepsOff(String node, Job job) {
        return coming.keepsOff(node, job);
    }

    /** Returns whether {@code job} may be placed on node {@code v} at any speed. */
    public boolean admitsAnyway(int v, Job job) {
        String id = nodes.get(v).id();
        MaintenanceWindow ahead = maintenance.ahead(id);
        return (ahead == null || maintenance.admits(job, 0, ahead)) && coming.admit(id, job, 0);
    }

    /** Returns whether workers on {@code slots} devices of {@code type} may combine gradients by {@code strategy}. */
    public boolean canSum(String type, SyncStrategy strategy, int slots) {
        AcceleratorType known = types.get(type);
        return strategy != SyncStrategy.ALL_REDUCE || known == null || known.reducesOn(slots);
    }

    /** Returns whether jobs on several nodes of {@code pool} need whole nodes. */
    public boolean needsWholeNodes(String pool) {
        return wholeNodePools.contains(pool);
    }

    /** Returns the thousandths of aggregation slots on the schedulable, unreserved nodes of {@code pool}. */
    public long aggregationThousandths(String pool) {
        return aggregation.getOrDefault(pool, 0L);
    }

    /** Returns whether new aggregation may be placed on {@code node}. */
    public boolean offersAggregation(Node node) {
        return node.state().takesNewJobs()
                && !closed.contains(node.id())
                && !maintenance.closes(node.id())
                && holders(node.id()).isEmpty();
    }

    /**
     * Returns whether {@code job} could stay on its devices with {@code held}, its allocation or one that differs in
     * the batch size: its request allows it, and its nodes let it stay.
     */
    public boolean mayStay(Job job, Allocation held) {
        return allows(job.spec(), held.configuration()) && letStay(job, held);
    }

    private boolean allows(JobSpec spec, Configuration configuration) {
        String type = configuration.acceleratorType();
        return spec.elasticity().allowsType(type)
                && spec.elasticity().allowsPool(configuration.pool())
                && spec.elasticity().allowsCount(configuration.slots())
                && spec.elasticity().allowsNodes(configuration.nodes())
                && allowsBatch(spec, configuration)
                && spec.synchronization().allows(configuration.strategy(), configuration.aggregationSlots())
                && canSum(type, configuration.strategy(), configuration.slots())
                && spec.hostSpeed(configuration) > 0
                && (spec.profile().runsEverywhere(type, configuration.strategy())
                        || Goodput.of(spec, configuration) > 0);
    }

    /** Also false for a batch whose gradient accumulation the devices cannot share equally. */
    private static boolean allowsBatch(JobSpec spec, Configuration configuration) {
        int batch = configuration.batchSize();
        long shares = (long) configuration.slots() * (configuration.accumulationSteps() + 1);
        return batch % shares == 0
                && spec.plannedBatch().allows(batch, configuration.acceleratorType(), configuration.slots());
    }

    private boolean letStay(Job job, Allocation held) {
        for (NodeShare piece : held.placement()) {
            int v = indexOf(piece.node());
            if (!nodes.get(v).state().letsJobsStay() || !isOpen(v, job) || !calendarLetsStay(job, held, v)) {
                return false;
            }
        }
        return true;
    }

    private boolean calendarLetsStay(Job job, Allocation held, int v) {
        String id = nodes.get(v).id();
        MaintenanceWindow ahead = maintenance.ahead(id);
        double goodput = Goodput.of(job.spec(), held.configuration());
        return (ahead == null || maintenance.letsStay(job, goodput, ahead)) && coming.letStay(id, job, goodput);
    }

    private boolean isIncluded(Job job, String node) {
        return holders(node).stream().allMatch(holder -> holder.includes(job, tenants));
    }
}
