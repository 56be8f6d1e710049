package dev.spur.model.cluster;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.spur.model.Checks;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Nodes reserved for one tenant, for one job, or for no job at all during a time; outside that time they are available
 * to all. From {@code start} on, no other job is placed on the nodes, and other jobs leave them as they leave a
 * draining node. With a lead, the time before {@code start} is treated like the time before maintenance: jobs that are
 * not predicted to finish by {@code start} are not placed on the nodes, or leave them during the lead.
 *
 * @param name unique name
 * @param nodes ids of the nodes
 * @param tenant the tenant whose subtree may use them; null excludes all jobs
 * @param start seconds, on the clock of the problem; null if it has always been active
 * @param end seconds, on the clock of the problem, later than {@code start}; null if it never ends
 * @param job id of the only job that may use them, one of {@code tenant}; null for all jobs of the tenant
 * @param leadSeconds time before {@code start} from which other jobs leave, at least 0; null if they stay until
 *     {@code start}
 */
public record Reservation(
        String name,
        List<String> nodes,
        @Nullable String tenant,
        @Nullable Double start,
        @Nullable Double end,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String job,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double leadSeconds) {
    /** Default lead of a reservation for a job, seconds. */
    public static final double LEAD_FOR_A_JOB = 300;

    /**
     * Slots for which the scheduler selects nodes.
     *
     * @param pool pool of the nodes
     * @param acceleratorType type of the nodes
     * @param count number of slots, at least 1; the selected nodes are reserved entirely
     */
    public record Slots(String pool, String acceleratorType, int count) {
        public Slots {
            Checks.atLeast("count", count, 1);
        }
    }

    @JsonCreator
    public Reservation {
        Checks.nonBlank("name", name);
        nodes = Checks.copy(nodes);
        Checks.require(
                start == null || end == null || end > start,
                "end (%s) of reservation %s must be later than start (%s)",
                end,
                name,
                start);
        Checks.require(job == null || tenant != null, "reservation %s names job %s but no tenant", name, job);
        Checks.require(leadSeconds == null || leadSeconds >= 0, "leadSeconds (%s) must be at least 0", leadSeconds);
    }

    /** A reservation for a tenant, or for no job at all, with a start and an end and without a lead. */
    public Reservation(String name, List<String> nodes, @Nullable String tenant, double start, double end) {
        this(name, nodes, tenant, start, end, null, null);
    }

    /** Returns true if the reservation is active at {@code time}: start inclusive, end exclusive. */
    public boolean holdsAt(double time) {
        return (start == null || start <= time) && (end == null || time < end);
    }

    /**
     * Returns the upcoming reservation at {@code time} as a maintenance window for other jobs; null if other jobs need
     * not leave before {@code start}.
     */
    public @Nullable MaintenanceWindow aheadAt(double time) {
        return leadSeconds == null || start == null || start <= time
                ? null
                : new MaintenanceWindow(name, nodes, start, end == null ? Double.POSITIVE_INFINITY : end, leadSeconds);
    }

    /** Returns this reservation restricted to those of its nodes that are in {@code some}. */
    public Reservation within(Collection<String> some) {
        return new Reservation(
                name, nodes.stream().filter(some::contains).toList(), tenant, start, end, job, leadSeconds);
    }
}
