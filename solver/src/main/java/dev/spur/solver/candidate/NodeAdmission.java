package dev.spur.solver.candidate;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.cluster.MaintenanceWindow;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodePreference;
import dev.spur.model.cluster.NodeRequirement;
import dev.spur.model.cluster.Reservation;
import dev.spur.model.cluster.TopologyLevel;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.Job;
import dev.spur.model.round.Maintenance;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.tenant.TenantTree;
import dev.spur.model.utility.Goodput;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Jobs that each node admits: by requirements, reservations, and maintenance and reservations to come. */
final class NodeAdmission {
    /**
     * Rules of a node that admits the same jobs as every node with equal rules.
     *
     * @param place names of its domains in the topology, as far as some job asks for them
     */
    record Rules(
            BitSet met,
            List<String> place,
            Set<ReservationHolder> holders,
            @Nullable Drain drain,
            List<String> upcomingReservations,
            @Nullable Double reservedFrom) {
        /** Returns whether a coming window keeps some job off. */
        boolean areLimitedInTime() {
            return drain != null || !upcomingReservations.isEmpty() || reservedFrom != null;
        }
    }

    /** Part of an upcoming maintenance window that determines which jobs it admits. */
    private record Drain(double start, double leadSeconds) {}

    /** By requirements or preferences of some job: the nodes that meet them. */
    private final Map<List<NodeRequirement>, Set<String>> meeting = new LinkedHashMap<>();
    /** The same by instance: a long list is slow to hash. */
    private final IdentityHashMap<List<NodeRequirement>, Set<String>> meetingByInstance = new IdentityHashMap<>();

    /** Levels of the topology that some job asks for. */
    private final Set<TopologyLevel> levels = EnumSet.noneOf(TopologyLevel.class);

    private final Map<String, Set<ReservationHolder>> holdersOf = new HashMap<>();
    private final Set<String> closed = new HashSet<>();
    private final TenantTree tenants;
    private final Maintenance maintenance;
    private final NodeReservations comingReservations;
    /** Windows that keep some job off their nodes: only these distinguish nodes. */
    private final Set<MaintenanceWindow> windows = new HashSet<>();

    private final double now;
    /** By node that accepts only jobs that are expected to end in time: the time. */
    private final Map<String, Double> reservedFrom;

    NodeAdmission(RoundProblem problem, Map<String, Double> reservedFrom) {
        this.now = problem.now();
        this.reservedFrom = Map.copyOf(reservedFrom);
        tenants = new TenantTree(problem.tenants());
        for (Job job : problem.jobs()) {
            Elasticity elasticity = job.spec().elasticity();
            if (elasticity.topology() != null) {
                levels.add(elasticity.topology().level());
            }
            addRequirements(elasticity.requirements(), problem.nodes());
            if (elasticity.preferredNodes() != null) {
                addRequirements(elasticity.preferredNodes().requirements(), problem.nodes());
            }
        }
        problem.reservations().stream()
                .filter(reservation -> reservation.holdsAt(problem.now()))
                .forEach(this::reserve);
        maintenance = new Maintenance(problem);
        comingReservations = new NodeReservations(problem, tenants, maintenance);
        problem.maintenance().stream()
                .filter(window -> problem.jobs().stream().anyMatch(job -> maintenance.concerns(job, window)))
                .forEach(windows::add);
    }

    private void addRequirements(List<NodeRequirement> requirements, List<Node> nodes) {
        if (!requirements.isEmpty()) {
            meetingByInstance.put(
                    requirements,
                    meeting.computeIfAbsent(
                            requirements,
                            each -> nodes.stream()
                                    .filter(node -> NodeRequirement.allAdmit(each, node))
                                    .map(Node::id)
                                    .collect(Collectors.toUnmodifiableSet())));
        }
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

    /** Returns the rules of {@code node}. */
    Rules rules(Node ruledNode) {
        String node = ruledNode.id();
        MaintenanceWindow windowAhead = maintenance.ahead(node);
        Drain drain = windowAhead != null && windows.contains(windowAhead)
                ? new Drain(windowAhead.start(), windowAhead.leadSeconds())
                : null;
        BitSet met = new BitSet();
        int requirements = 0;
        for (Set<String> nodes : meeting.values()) {
            met.set(requirements++, nodes.contains(node));
        }
        return new Rules(
                met,
                place(ruledNode),
                holders(node),
                drain,
                comingReservations.excludingJobs(node),
                reservedFrom.get(node));
    }

    private List<String> place(Node node) {
        String block = Objects.requireNonNullElse(node.block(), "");
        return levels.isEmpty()
                ? List.of()
                : levels.contains(TopologyLevel.RACK)
                        ? List.of(block, Objects.requireNonNullElse(node.rack(), ""))
                        : List.of(block);
    }

    private Set<ReservationHolder> holders(String node) {
        return holdersOf.getOrDefault(node, Set.of());
    }

    /** Returns whether {@code node} admits no job: it is closed by a reservation, or in maintenance. */
    boolean isClosed(String node) {
        return closed.contains(node) || maintenance.holds(node);
    }

    /** Returns whether {@code node} meets the requirements of {@code job}. */
    boolean meets(Job job, String node) {
        return meets(job.spec().elasticity().requirements(), node);
    }

    /** Returns whether {@code job} prefers {@code node}, or has no preference. */
    boolean prefers(Job job, String node) {
        NodePreference preference = job.spec().elasticity().preferredNodes();
        return preference == null || meets(preference.requirements(), node);
    }

    private boolean meets(List<NodeRequirement> requirements, String node) {
        if (requirements.isEmpty()) {
            return true;
        }
        Set<String> nodes = meetingByInstance.get(requirements);
        return (nodes == null ? meeting.getOrDefault(requirements, Set.of()) : nodes).contains(node);
    }

    /** Returns whether requirements and active reservations admit {@code job} to {@code node}. */
    boolean includes(Job job, String node) {
        return meets(job, node) && holders(node).stream().allMatch(holder -> holder.includes(job, tenants));
    }

    /** Returns whether coming windows admit {@code job} to {@code node} at {@code goodput} samples per second. */
    boolean admits(String node, Job job, double goodput) {
        MaintenanceWindow windowAhead = maintenance.ahead(node);
        return endsInTime(node, job, goodput)
                && (windowAhead == null || maintenance.admits(job, goodput, windowAhead))
                && comingReservations.admit(node, job, goodput);
    }

    /** Returns whether {@code node} accepts only jobs that are expected to end in time. */
    boolean isReservedLater(String node) {
        return reservedFrom.containsKey(node);
    }

    private boolean endsInTime(String node, Job job, double goodput) {
        Double time = reservedFrom.get(node);
        double stall = job.spec().restartPenaltySeconds();
        return time == null || now + job.secondsToRelease(goodput, stall, now) <= time;
    }

    /** Returns whether the nodes of {@code heldAllocation} let {@code job} stay until coming windows. */
    boolean letStay(Job job, Allocation heldAllocation) {
        double goodput = Goodput.of(job.spec(), heldAllocation.configuration());
        for (NodeShare share : heldAllocation.placement()) {
            MaintenanceWindow windowAhead = maintenance.ahead(share.node());
            if (isClosed(share.node())
                    || !includes(job, share.node())
                    || (windowAhead != null && !maintenance.letsStay(job, goodput, windowAhead))
                    || !comingReservations.letStay(share.node(), job, goodput)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns the reservation that keeps {@code job} off {@code node}, active or because the job would not leave in
     * time; null if there is none.
     */
    @Nullable
    Reservation keepsOff(String node, Job job) {
        return comingReservations.keepsOff(node, job);
    }

    /** Returns whether new aggregation may be placed on {@code node}. */
    boolean offersAggregation(Node node) {
        return node.state().takesNewJobs()
                && !closed.contains(node.id())
                && !maintenance.closes(node.id())
                && holders(node.id()).isEmpty();
    }
}
