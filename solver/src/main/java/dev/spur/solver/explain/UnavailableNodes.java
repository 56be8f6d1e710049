package dev.spur.solver.explain;

import dev.spur.model.cluster.MaintenanceWindow;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.cluster.Reservation;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.Job;
import dev.spur.model.job.TimeLimit;
import dev.spur.model.round.Maintenance;
import dev.spur.model.round.RoundProblem;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.NodeClassName;
import dev.spur.solver.placement.ResidualCluster;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Nodes that are up but accept no jobs, or not every job: cordoned, draining, or in maintenance now or soon. */
final class UnavailableNodes {
    private static final DateTimeFormatter MINUTE =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);
    /** Snapshots may start their clock at any time; a time after 1973 is interpreted as seconds since 1970. */
    private static final double CALENDAR_FROM = 1e8;

    private final RoundProblem problem;
    private final Maintenance maintenance;
    private final Map<NodeClassName, Integer> freeOnClosed = new HashMap<>();
    private final List<Integer> maintained = new ArrayList<>();
    /** Nodes of reservations. */
    private final int[] reserved;

    private final CandidateSet candidates;
    private final ResidualCluster residualCluster;

    /** @param residualCluster resources that the plan leaves */
    UnavailableNodes(CandidateSet candidates, ResidualCluster residualCluster) {
        this.candidates = candidates;
        this.residualCluster = residualCluster;
        problem = candidates.problem();
        maintenance = new Maintenance(problem);
        reserved = problem.reservations().stream()
                .flatMap(reservation -> reservation.nodes().stream())
                .distinct()
                .mapToInt(candidates.clusterIndex()::indexOf)
                .filter(v -> v >= 0)
                .sorted()
                .toArray();
        for (int v = 0; v < problem.nodes().size(); v++) {
            Node node = problem.nodes().get(v);
            if (isClosed(node)) {
                freeOnClosed.merge(NodeClassName.of(node), residualCluster.slots(v), Integer::sum);
            } else if (maintenance.holds(node.id()) || maintenance.ahead(node.id()) != null) {
                maintained.add(v);
            }
        }
    }

    private static boolean isClosed(Node node) {
        return node.state() == NodeState.CORDONED || node.state() == NodeState.DRAINING;
    }

    /** Returns the problem in which every node that is up accepts jobs. */
    static RoundProblem open(RoundProblem problem) {
        return problem.withNodes(problem.nodes().stream()
                        .map(node -> isClosed(node) ? node.withState(NodeState.ACTIVE) : node)
                        .toList())
                .withMaintenance(List.of());
    }

    /**
     * Returns whether {@code desiredCandidate} fits on the free slots of unavailable nodes together with the
     * {@code free} slots of its class.
     */
    boolean wouldHold(Candidate desiredCandidate, int free) {
        NodeClassName className = NodeClassName.of(desiredCandidate.configuration());
        int closed = freeOnClosed.getOrDefault(className, 0);
        Job job = candidates.job(desiredCandidate.job());
        for (int v : maintained) {
            Node node = problem.nodes().get(v);
            if (className.equals(NodeClassName.of(node)) && keepsOff(job, desiredCandidate.goodput(), node)) {
                closed += residualCluster.slots(v);
            }
        }
        return closed > 0 && closed + free >= desiredCandidate.slots();
    }

    /**
     * Returns whether {@code desiredCandidate} fits on the free slots of nodes that are reserved for others together
     * with the {@code open} free slots of its class.
     */
    boolean reservedWouldHold(Candidate desiredCandidate, int open) {
        NodeClassName className = NodeClassName.of(desiredCandidate.configuration());
        Job job = candidates.job(desiredCandidate.job());
        int free = 0;
        for (int v : reserved) {
            Node node = problem.nodes().get(v);
            if (className.equals(NodeClassName.of(node))
                    && candidates.clusterIndex().keepsOff(node.id(), job) != null) {
                free += residualCluster.slots(v);
            }
        }
        return free > 0 && free + open >= desiredCandidate.slots();
    }

    /** Returns the maintenance that keeps {@code job} off a node of its kind, as text; null if there is none. */
    @Nullable
    String maintenanceOf(Job job) {
        Elasticity elasticity = job.spec().elasticity();
        for (int v : maintained) {
            Node node = problem.nodes().get(v);
            String type = String.valueOf(node.acceleratorType());
            if (elasticity.allowsPool(node.pool())
                    && elasticity.allowsType(type)
                    && elasticity.allowsNode(node)
                    && keepsOff(job, 0, node)) {
                return "node %s is in maintenance from %s to %s%s"
                        .formatted(node.id(), time(node, true), time(node, false), limitBefore(job, node));
            }
        }
        return null;
    }

    /**
     * Returns the time limit with which {@code job} may start before the maintenance of {@code node}; empty if none.
     */
    private String limitBefore(Job job, Node node) {
        MaintenanceWindow windowAhead = maintenance.ahead(node.id());
        double seconds = windowAhead == null || maintenance.holds(node.id())
                ? 0
                : windowAhead.start() - problem.now() - job.spec().restartPenaltySeconds();
        return seconds < 1
                ? ""
                : "; with a time limit of at most %s, the job may start before"
                        .formatted(TimeLimit.text(Math.floor(seconds)));
    }

    /**
     * Returns the reservation that keeps {@code job} off a node of its kind, with its time, after a colon; empty if
     * there is none.
     */
    String reservationOf(Job job) {
        Elasticity elasticity = job.spec().elasticity();
        for (int v : reserved) {
            Node node = problem.nodes().get(v);
            Reservation keeping = candidates.clusterIndex().keepsOff(node.id(), job);
            if (keeping != null
                    && elasticity.allowsPool(node.pool())
                    && elasticity.allowsType(String.valueOf(node.acceleratorType()))
                    && elasticity.allowsNode(node)) {
                return ": node %s%s%s"
                        .formatted(node.id(), time(" from ", keeping.start()), time(" to ", keeping.end()));
            }
        }
        return "";
    }

    /**
     * Returns {@code every} if no node accepts the job; otherwise what it needs, the largest gang on the nodes that
     * accept it, and {@code others}.
     */
    String everyNodeOr(Job job, String every, String others) {
        LargestGang usable = LargestGang.of(problem, job.spec(), node -> accepts(job, node));
        Elasticity elasticity = job.spec().elasticity();
        return usable.slots() == 0
                ? every
                : "Needs %d slots, but the largest gang on the nodes that it may use now is %s; %s"
                        .formatted(elasticity.minCount().orElse(elasticity.minSlots()), usable.text(), others);
    }

    private boolean accepts(Job job, Node node) {
        int v = candidates.clusterIndex().indexOf(node.id());
        return candidates.clusterIndex().classOf(v) >= 0
                && candidates.clusterIndex().isOpen(v, job)
                && candidates.clusterIndex().admitsAnyway(v, job);
    }

    /** Returns whether {@code desiredCandidate} fits on its class with the free slots that its requirements exclude. */
    boolean excludedWouldHold(Candidate desiredCandidate, int open) {
        Job job = candidates.job(desiredCandidate.job());
        if (job.spec().elasticity().requirements().isEmpty() || desiredCandidate.nodeClass() < 0) {
            return false;
        }
        int free = 0;
        for (int v : candidates
                .clusterIndex()
                .classes()
                .get(desiredCandidate.nodeClass())
                .nodes()) {
            if (!job.spec().elasticity().allowsNode(problem.nodes().get(v))) {
                free += residualCluster.slots(v);
            }
        }
        return free > 0 && free + open >= desiredCandidate.slots();
    }

    /** Returns whether nodes have an allowed pool and type for {@code job}, and none of them meets its requirements. */
    boolean lackRequirementsOf(Job job) {
        Elasticity elasticity = job.spec().elasticity();
        boolean found = false;
        for (Node node : problem.nodes()) {
            String type = String.valueOf(node.acceleratorType());
            if (elasticity.allowsPool(node.pool())
                    && elasticity.allowsType(type)
                    && job.spec().profile().acceleratorTypes().contains(type)) {
                if (elasticity.allowsNode(node)) {
                    return false;
                }
                found = true;
            }
        }
        return found;
    }

    /** Returns whether an allowed pool and type has nodes without schedulable devices. */
    boolean haveNoDevicesFor(Job job) {
        Elasticity elasticity = job.spec().elasticity();
        for (Node node : problem.nodes()) {
            String type = String.valueOf(node.acceleratorType());
            if (node.devices().isEmpty()
                    && elasticity.allowsPool(node.pool())
                    && elasticity.allowsType(type)
                    && elasticity.allowsNode(node)
                    && job.spec().profile().acceleratorTypes().contains(type)) {
                return true;
            }
        }
        return false;
    }

    private static String time(String before, @Nullable Double time) {
        return time == null ? "" : before + format(time);
    }

    private boolean keepsOff(Job job, double goodput, Node node) {
        MaintenanceWindow windowAhead = maintenance.ahead(node.id());
        return maintenance.holds(node.id()) || (windowAhead != null && !maintenance.admits(job, goodput, windowAhead));
    }

    private String time(Node node, boolean start) {
        MaintenanceWindow window = problem.maintenance().stream()
                .filter(w -> w.nodes().contains(node.id()) && problem.now() < w.end())
                .min((a, b) -> Double.compare(a.start(), b.start()))
                .orElseThrow();
        return format(start ? window.start() : window.end());
    }

    private static String format(double time) {
        return time < CALENDAR_FROM
                ? "second %s".formatted(Math.round(time))
                : MINUTE.format(Instant.ofEpochSecond((long) time)) + " UTC";
    }
}
