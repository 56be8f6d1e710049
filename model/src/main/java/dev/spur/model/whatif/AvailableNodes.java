package dev.spur.model.whatif;

import dev.spur.model.cluster.AvailableNode;
import dev.spur.model.cluster.MaintenanceWindow;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.cluster.Reservation;
import dev.spur.model.job.Job;
import dev.spur.model.round.RoundProblem;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of a problem that a reservation may take: those that accept jobs and have no reservation or maintenance at
 * that time.
 */
final class AvailableNodes {
    private final RoundProblem problem;

    AvailableNodes(RoundProblem problem) {
        this.problem = problem;
    }

    /**
     * Returns the available nodes of the wanted pool and type, in the order of the problem.
     *
     * @param start null for any time before {@code end}
     * @param end null for any time after {@code start}
     * @param name name of the reservation to make, which is no obstacle to itself
     * @param job job for which the nodes are reserved, which may run on them whether it is preemptible or not; null for
     *     none
     */
    List<AvailableNode> during(
            @Nullable Double start,
            @Nullable Double end,
            String name,
            @Nullable String job,
            Reservation.Slots desiredSlots) {
        Set<String> taken = unavailableNodes(start, end, name);
        Set<String> fixed = pinnedNodes(job);
        return problem.nodes().stream()
                .filter(node -> isDesired(node, desiredSlots) && !taken.contains(node.id()))
                .map(node -> new AvailableNode(node.id(), node.slots(), fixed.contains(node.id())))
                .toList();
    }

    private static boolean isDesired(Node node, Reservation.Slots desiredSlots) {
        return node.pool().equals(desiredSlots.pool())
                && desiredSlots.acceleratorType().equals(node.acceleratorType())
                && node.state() == NodeState.ACTIVE
                && node.slots() > 0;
    }

    private Set<String> unavailableNodes(@Nullable Double start, @Nullable Double end, String name) {
        double from = start == null ? Double.NEGATIVE_INFINITY : start;
        double until = until(end);
        Set<String> taken = new HashSet<>();
        for (Reservation other : problem.reservations()) {
            if (!other.name().equals(name)
                    && (other.start() == null || other.start() < until)
                    && until(other.end()) > from) {
                taken.addAll(other.nodes());
            }
        }
        for (MaintenanceWindow window : problem.maintenance()) {
            if (window.start() < until && window.end() > from) {
                taken.addAll(window.nodes());
            }
        }
        return taken;
    }

    private static double until(@Nullable Double end) {
        return end == null ? Double.POSITIVE_INFINITY : end;
    }

    /** Returns the nodes with a non-preemptible job other than {@code job}. */
    private Set<String> pinnedNodes(@Nullable String job) {
        Set<String> fixed = new HashSet<>();
        for (Job other : problem.jobs()) {
            if (other.allocation() != null
                    && !other.spec().preemptible()
                    && !other.id().equals(job)) {
                other.allocation().placement().forEach(share -> fixed.add(share.node()));
            }
        }
        return fixed;
    }
}
