package dev.spur.model.round;

import dev.spur.model.cluster.MaintenanceWindow;
import dev.spur.model.job.Job;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The effect of maintenance windows on the nodes of a problem at its time. Before a window, a job may be placed on an
 * affected node in three cases. It is predicted to finish before the start of the window. It reaches its time limit
 * before that. It is preemptible, and its minimum run time ends before it has to leave. It may stay until it has to
 * leave.
 */
public final class Maintenance {
    private final double now;
    private final Set<String> closed = new HashSet<>();
    private final Map<String, MaintenanceWindow> windowsAhead = new HashMap<>();

    public Maintenance(RoundProblem problem) {
        now = problem.now();
        for (MaintenanceWindow window : problem.maintenance()) {
            for (String node : window.nodes()) {
                if (window.holdsAt(now)) {
                    closed.add(node);
                } else if (now < window.start()) {
                    windowsAhead.merge(node, window, (a, b) -> a.start() <= b.start() ? a : b);
                }
            }
        }
    }

    /** Returns true if {@code node} is under maintenance. */
    public boolean holds(String node) {
        return closed.contains(node);
    }

    /** Returns the next window of {@code node}; null if there is none. */
    public @Nullable MaintenanceWindow ahead(String node) {
        return windowsAhead.get(node);
    }

    /** Returns true if {@code node} is under maintenance or drains for an upcoming window. */
    public boolean closes(String node) {
        MaintenanceWindow next = windowsAhead.get(node);
        return holds(node) || (next != null && next.leaveBy(0) <= now);
    }

    /**
     * Returns true if {@code job} may be placed on a node with the upcoming {@code window}, at {@code goodput}
     * effective samples per second.
     */
    public boolean admits(Job job, double goodput, MaintenanceWindow window) {
        return isDoneBy(window, job, goodput, job.spec().restartPenaltySeconds())
                || (job.spec().preemptible() && canLeave(job, window));
    }

    /**
     * Returns true if the preemptible {@code job}, which runs at {@code goodput} on a node with the upcoming
     * {@code window}, may stay there.
     */
    public boolean letsStay(Job job, double goodput, MaintenanceWindow window) {
        return now < window.leaveBy(job.spec().restartPenaltySeconds())
                || isDoneBy(window, job, goodput, job.restartSecondsLeft(now));
    }

    /** Returns true if {@code job} might not be admitted to every node with the upcoming {@code window}. */
    public boolean concerns(Job job, MaintenanceWindow window) {
        boolean stays = job.allocation() != null && !job.spec().preemptible();
        return !stays && !(job.spec().preemptible() && canLeave(job, window));
    }

    private boolean canLeave(Job job, MaintenanceWindow window) {
        double restart = job.spec().restartPenaltySeconds();
        return now + job.spec().protectionSeconds() < window.leaveBy(restart);
    }

    private boolean isDoneBy(MaintenanceWindow window, Job job, double goodput, double restartSeconds) {
        return now + job.secondsToRelease(goodput, restartSeconds, now) <= window.start();
    }
}
