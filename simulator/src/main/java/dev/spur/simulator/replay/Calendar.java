package dev.spur.simulator.replay;

import dev.spur.model.cluster.MaintenanceWindow;
import dev.spur.model.round.CalendarEvents;
import dev.spur.model.round.NodeLossHandling;
import dev.spur.model.round.RoundProblem;
import java.util.List;
import java.util.PriorityQueue;

/** Calendar of planned events that open and close nodes: reservations and maintenance. */
final class Calendar {
    private final List<MaintenanceWindow> maintenance;
    private final PriorityQueue<Double> times = new PriorityQueue<>();

    Calendar(ClusterConfig cluster) {
        maintenance = cluster.maintenance();
        CalendarEvents.times(cluster.reservations(), maintenance).forEach(times::add);
    }

    /** Returns the time at which a node opens or closes next; infinite if none does. */
    double next() {
        Double next = times.peek();
        return next == null ? Double.POSITIVE_INFINITY : next;
    }

    /** Removes the events up to and including {@code time}. */
    void passUntil(double time) {
        while (next() <= time) {
            times.remove();
        }
    }

    /** Returns {@code problem} with its maintenance windows; jobs on nodes under maintenance wait. */
    RoundProblem apply(RoundProblem problem) {
        return maintenance.isEmpty() ? problem : NodeLossHandling.stopJobs(problem.withMaintenance(maintenance));
    }
}
