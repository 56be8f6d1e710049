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
 * The nodes of a problem that may be kept: those that take jobs, and that no reservation and no maintenance has at the
 * time.
 */
final class AvailableNodes {
    private final RoundProblem problem;

    AvailableNodes(RoundProblem problem) {
        this.problem = problem;
    }

    /**
     * Those of pool and type, in the order of the problem.
     *
     * @param start null for all time before {@code end}
     * @param end null for all time after {@code start}
     * @param name the reservation that is made, which is no obstacle to itself
     * @param job for whom, who may be on a node whether it can be stopped or not; null for nobody in particular
     */
    List<AvailableNode> during(
            @Nullable Double start, @Nullable Double end, String name, @Nullable String job, Reservation.Slots wanted) {
        Set<String> taken = taken(start, end, name);
        Set<String> fixed = fixed(job);
        return problem.nodes().stream()
                .filter(node -> isWanted(node, wanted) && !taken.contains(node.id()))
                .map(node -> new AvailableNode(node.id(), node.slots(), fixed.contains(node.id())))
                .toList();
    }

    private static boolean isWanted(Node node, Reservation.Slots wanted) {
        return node.pool().equals(wanted.pool())
                && wanted.acceleratorType().equals(node.acceleratorType())
                && node.state() == NodeState.ACTIVE
                && node.slots() > 0;
    }

    private Set<String> taken(@Nullable Double start, @Nullable Double end, String name) {
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

    /** Nodes on which somebody other than {@code job} cannot be stopped. */
    private Set<String> fixed(@Nullable String job) {
        Set<String> fixed = new HashSet<>();
        for (Job other : problem.jobs()) {
            if (other.allocation() != null
                    && !other.spec().preemptible()
                    && !other.id().equals(job)) {
                other.allocation().placement().forEach(piece -> fixed.add(piece.node()));
            }
        }
        return fixed;
    }
}
