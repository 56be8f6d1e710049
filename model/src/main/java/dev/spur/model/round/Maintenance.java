package dev.spur.model.round;

import dev.spur.model.cluster.MaintenanceWindow;
import dev.spur.model.job.Job;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What maintenance means for the nodes of a problem at its time. A job may come to a node with a window ahead if it is
 * expected to be done by its start, or if it can be moved and has run for its protected time when it must leave. It may
 * stay until then.
 */
public final class Maintenance {
    private final double now;
    private final Set<String> closed = new HashSet<>();
    private final Map<String, MaintenanceWindow> ahead = new HashMap<>();

    public Maintenance(RoundProblem problem) {
        now = problem.now();
        for (MaintenanceWindow window : problem.maintenance()) {
            for (String node : window.nodes()) {
                if (window.holdsAt(now)) {
                    closed.add(node);
                } else if (now < window.start()) {
                    ahead.merge(node, window, (a, b) -> a.start() <= b.start() ? a : b);
                }
            }
        }
    }

    /** True if {@code node} is worked on. */
    public boolean holds(String node) {
        return closed.contains(node);
    }

    /** The window of {@code node} that begins next; null if none does. */
    public @Nullable MaintenanceWindow ahead(String node) {
        return ahead.get(node);
    }

    /** True if {@code node} is worked on, or drains since it will be soon. */
    public boolean closes(String node) {
        MaintenanceWindow next = ahead.get(node);
        return holds(node) || (next != null && next.leaveBy(0) <= now);
    }

    /**
     * True if {@code job}, at {@code goodput} useful samples per second, may come to a node with {@code window} ahead.
     */
    public boolean admits(Job job, double goodput, MaintenanceWindow window) {
        return isDoneBy(window, job, goodput, job.spec().restartPenaltySeconds())
                || (job.spec().preemptible() && canLeave(job, window));
    }

    /**
     * True if {@code job}, which runs at {@code goodput} on a node with {@code window} ahead, may stay there if it may
     * be moved.
     */
    public boolean letsStay(Job job, double goodput, MaintenanceWindow window) {
        return now < window.leaveBy(job.spec().restartPenaltySeconds())
                || isDoneBy(window, job, goodput, job.restartSecondsLeft(now));
    }

    /** True if {@code job} might not be admitted on every node with {@code window} ahead. */
    public boolean concerns(Job job, MaintenanceWindow window) {
        boolean stays = job.allocation() != null && !job.spec().preemptible();
        return !stays && !(job.spec().preemptible() && canLeave(job, window));
    }

    private boolean canLeave(Job job, MaintenanceWindow window) {
        double restart = job.spec().restartPenaltySeconds();
        return now + Math.max(job.spec().minRunSeconds(), restart) < window.leaveBy(restart);
    }

    private boolean isDoneBy(MaintenanceWindow window, Job job, double goodput, double restartSeconds) {
        return goodput > 0 && now + restartSeconds + job.remainingSamples() / goodput <= window.start();
    }
}
