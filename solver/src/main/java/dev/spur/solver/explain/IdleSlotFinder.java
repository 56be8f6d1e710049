package dev.spur.solver.explain;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.cluster.MaintenanceWindow;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.Reservation;
import dev.spur.model.round.IdleReason;
import dev.spur.model.round.IdleSlots;
import dev.spur.model.round.Maintenance;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.NodeClassName;
import dev.spur.solver.placement.ResidualCapacity;
import dev.spur.solver.placement.StarvationReservation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finder of the slots that a plan leaves idle, and of the reasons: the state of a node, or the reasons of the jobs that
 * accept the type. It is cheap and independent of the solver.
 */
public final class IdleSlotFinder {
    private final CandidateSet candidates;
    private final Maintenance maintenance;
    private final ResidualCapacity residualCapacity;
    private final @Nullable StarvationReservation starvationReservation;

    /** Idle slots with the same pool, type and message about their nodes; an empty message if the nodes are open. */
    private record Group(NodeClassName className, IdleReason reason, String message) {}

    private IdleSlotFinder(
            CandidateSet candidates,
            Map<Integer, Allocation> runningAllocations,
            @Nullable StarvationReservation starvationReservation) {
        this.candidates = candidates;
        this.maintenance = new Maintenance(candidates.problem());
        this.residualCapacity = new ResidualCapacity(candidates);
        this.starvationReservation = starvationReservation;
        runningAllocations.forEach(residualCapacity::occupy);
    }

    /**
     * Returns the idle slots of all nodes that are not lost, by pool and type, then by reason.
     *
     * @param runningAllocations allocations of the plan by index of the job
     * @param utilities utilities of these allocations by index of the job
     * @param starvationReservation placement reserved for a starving job; null if there is none
     */
    public static List<IdleSlots> idleSlots(
            CandidateSet candidates,
            Map<Integer, Allocation> runningAllocations,
            Map<Integer, Double> utilities,
            @Nullable StarvationReservation starvationReservation) {
        IdleSlotFinder finder = new IdleSlotFinder(candidates, runningAllocations, starvationReservation);
        Map<Group, List<Node>> groups = finder.groups();
        if (groups.isEmpty()) {
            return List.of();
        }
        IdleJobReasons reasons = new IdleJobReasons(candidates, runningAllocations, utilities, finder.residualCapacity);
        List<IdleSlots> idle = new ArrayList<>();
        groups.forEach((group, nodes) -> idle.add(finder.describe(group, nodes, reasons)));
        idle.sort(Comparator.comparing(IdleSlots::pool)
                .thenComparing(IdleSlots::acceleratorType)
                .thenComparing(IdleSlots::reason)
                .thenComparing(IdleSlots::message));
        return idle;
    }

    private Map<Group, List<Node>> groups() {
        Map<Group, List<Node>> groups = new HashMap<>();
        List<Node> nodes = candidates.problem().nodes();
        for (int v = 0; v < nodes.size(); v++) {
            Node node = nodes.get(v);
            if (residualCapacity.cluster().slots(v) > 0 && node.state().isUp()) {
                groups.computeIfAbsent(group(node), key -> new ArrayList<>()).add(node);
            }
        }
        return groups;
    }

    private Group group(Node node) {
        NodeClassName className = NodeClassName.of(node);
        if (!node.state().takesNewJobs()) {
            return new Group(
                    className,
                    IdleReason.NODE_UNAVAILABLE,
                    node.state().letsJobsStay() ? "The nodes are cordoned." : "The nodes are draining.");
        }
        if (maintenance.closes(node.id())) {
            return new Group(className, IdleReason.NODE_UNAVAILABLE, "The nodes are in maintenance or drain for it.");
        }
        if (starvationReservation != null && starvationReservation.nodes().contains(node.id())) {
            return new Group(
                    className,
                    IdleReason.RESERVED,
                    "Held free for job %s, which needs %d slots and has waited beyond its limit."
                            .formatted(
                                    candidates.job(starvationReservation.job()).id(),
                                    starvationReservation.configuration().slots()));
        }
        return candidates.problem().reservations().stream()
                .filter(reservation -> reservation.nodes().contains(node.id()) && keepsFree(reservation))
                .findFirst()
                .map(reservation -> new Group(className, IdleReason.RESERVED, message(reservation)))
                .orElseGet(() -> new Group(className, IdleReason.NO_JOB, ""));
    }

    private boolean keepsFree(Reservation reservation) {
        double now = candidates.problem().now();
        MaintenanceWindow windowAhead = reservation.aheadAt(now);
        return reservation.holdsAt(now) || (windowAhead != null && windowAhead.leaveBy(0) <= now);
    }

    private static String message(Reservation reservation) {
        String holder = reservation.job() != null
                ? " for job " + reservation.job()
                : reservation.tenant() == null ? "" : " for tenant " + reservation.tenant();
        return "Reservation %s keeps the nodes free%s.".formatted(reservation.name(), holder);
    }

    private IdleSlots describe(Group group, List<Node> nodes, IdleJobReasons reasons) {
        int slots = nodes.stream()
                .mapToInt(node -> residualCapacity
                        .cluster()
                        .slots(candidates.clusterIndex().indexOf(node.id())))
                .sum();
        List<String> ids = nodes.stream().map(Node::id).toList();
        if (!group.message().isEmpty()) {
            return new IdleSlots(
                    group.className().pool(),
                    group.className().acceleratorType(),
                    ids,
                    slots,
                    group.reason(),
                    List.of(),
                    group.message());
        }
        IdleJobReasons.Summary summary = reasons.summary(group.className());
        return new IdleSlots(
                group.className().pool(),
                group.className().acceleratorType(),
                ids,
                slots,
                summary.reason(),
                summary.jobs(),
                summary.message());
    }
}
