package dev.spur.model.cluster;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.spur.model.Checks;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Nodes kept for one tenant, for one job, or for nobody, during a time; outside of it they are open to all. From
 * {@code start} on, others get nothing new there and leave as from a draining node. With a lead they are treated before
 * {@code start} as before maintenance: who is not expected to be done by then does not come, or leaves ahead.
 *
 * @param name unique name
 * @param nodes ids of the nodes
 * @param tenant the tenant whose subtree may use them; null keeps everybody off
 * @param start seconds, on the clock of the problem; null if it has always held
 * @param end seconds, on the clock of the problem, later than {@code start}; null if it never ends
 * @param job id of the only job that may use them, one of {@code tenant}; null for all of the tenant
 * @param leadSeconds time before {@code start} from which on others leave, at least 0; null if they stay until then
 */
public record Reservation(
        String name,
        List<String> nodes,
        @Nullable String tenant,
        @Nullable Double start,
        @Nullable Double end,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String job,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double leadSeconds) {
    /** Lead of a reservation for a job that says none, seconds. */
    public static final double LEAD_FOR_A_JOB = 300;

    /**
     * Slots for which nodes are to be found.
     *
     * @param pool pool of the nodes
     * @param acceleratorType type of the nodes
     * @param count how many, at least 1; the nodes that are found are kept whole
     */
    public record Slots(String pool, String acceleratorType, int count) {
        public Slots {
            Checks.atLeast("count", count, 1);
        }
    }

    @JsonCreator
    public Reservation {
        Checks.named("name", name);
        nodes = Checks.copy(nodes);
        Checks.require(
                start == null || end == null || end > start,
                "end (%s) of reservation %s must be later than start (%s)",
                end,
                name,
                start);
        Checks.require(job == null || tenant != null, "reservation %s is for job %s of no tenant", name, job);
        Checks.require(leadSeconds == null || leadSeconds >= 0, "leadSeconds (%s) must be at least 0", leadSeconds);
    }

    /** A reservation for a tenant, or for nobody, that begins and ends, and has no lead. */
    public Reservation(String name, List<String> nodes, @Nullable String tenant, double start, double end) {
        this(name, nodes, tenant, start, end, null, null);
    }

    /** True if the reservation holds at {@code time}: start inclusive, end exclusive. */
    public boolean holdsAt(double time) {
        return (start == null || start <= time) && (end == null || time < end);
    }

    /**
     * The time in which others are to have left, as maintenance that is ahead at {@code time}; null if nobody has to
     * leave ahead.
     */
    public @Nullable MaintenanceWindow aheadAt(double time) {
        return leadSeconds == null || start == null || start <= time
                ? null
                : new MaintenanceWindow(name, nodes, start, end == null ? Double.POSITIVE_INFINITY : end, leadSeconds);
    }

    /** This reservation of those of its nodes that are among {@code some}. */
    public Reservation within(Collection<String> some) {
        return new Reservation(
                name, nodes.stream().filter(some::contains).toList(), tenant, start, end, job, leadSeconds);
    }
}
