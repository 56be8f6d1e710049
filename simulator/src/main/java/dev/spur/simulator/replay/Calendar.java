package dev.spur.simulator.replay;

import dev.spur.model.cluster.MaintenanceWindow;
import dev.spur.model.round.CalendarEvents;
import dev.spur.model.round.NodeLossHandling;
import dev.spur.model.round.RoundProblem;
import java.util.List;
import java.util.PriorityQueue;

/** What opens and closes nodes at times that are known beforehand: reservations and maintenance. */
final class Calendar {
    private final List<MaintenanceWindow> maintenance;
    private final PriorityQueue<Double> times = new PriorityQueue<>();

    Calendar(ClusterConfig scene) {
        maintenance = scene.maintenance();
        CalendarEvents.times(scene.reservations(), maintenance).forEach(times::add);
    }

    /** When a node opens or closes next; infinite if none will. */
    double next() {
        Double next = times.peek();
        return next == null ? Double.POSITIVE_INFINITY : next;
    }

    /** Forgets what is up to and including {@code time}. */
    void passUntil(double time) {
        while (next() <= time) {
            times.remove();
        }
    }

    /** The problem with its maintenance, in which whoever is on a node that is worked on waits. */
    RoundProblem applied(RoundProblem problem) {
        return maintenance.isEmpty() ? problem : NodeLossHandling.stopJobs(problem.withMaintenance(maintenance));
    }
}
