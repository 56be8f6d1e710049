package dev.spur.model.round;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.spur.model.Checks;
import dev.spur.model.cluster.AcceleratorType;
import dev.spur.model.cluster.MaintenanceWindow;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.Pool;
import dev.spur.model.cluster.Reservation;
import dev.spur.model.dataprep.MemoryUse;
import dev.spur.model.dataprep.Preparation;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobGroup;
import dev.spur.model.tenant.FairShare;
import dev.spur.model.tenant.PastUsage;
import dev.spur.model.tenant.Tenant;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * All that a round reads: an immutable copy of cluster and jobs at one time. It is at once the saved round, the body of
 * the stateless solve and the input of {@code spur solve}. That its parts fit each other is said by
 * {@link dev.spur.model.validation.ProblemCheck}, since a caller wants to hear of every misfit at once.
 *
 * @param format always {@link #FORMAT}
 * @param now time of the snapshot, seconds on a clock of the caller's choice, on which every time below is given
 * @param settings how to plan
 * @param acceleratorTypes the types
 * @param pools the pools
 * @param nodes the nodes; their order breaks ties of placement
 * @param reservations nodes kept for somebody
 * @param tenants the tree of tenants
 * @param groups groups of jobs with caps of their own; files without them have none
 * @param jobs the active jobs: those that run and those that wait
 * @param memory what the last round left for this one
 * @param preparations the active jobs that prepare data; files without them have none
 * @param memoryUse memory of nodes that nobody was granted and that is in use; files without it know of none
 * @param maintenance windows that hold or are ahead; files without them have none
 * @param pastUsage what tenants have used, where it counts; who is left out has used nothing
 */
public record RoundProblem(
        String format,
        double now,
        RoundSettings settings,
        List<AcceleratorType> acceleratorTypes,
        List<Pool> pools,
        List<Node> nodes,
        List<Reservation> reservations,
        List<Tenant> tenants,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<JobGroup> groups,
        List<Job> jobs,
        RoundMemory memory,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Preparation> preparations,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<MemoryUse> memoryUse,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<MaintenanceWindow> maintenance,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<PastUsage> pastUsage) {
    /** Name and version of the JSON form. */
    public static final String FORMAT = "spur-snapshot/1";

    @JsonCreator
    public RoundProblem {
        Checks.require(FORMAT.equals(format), "format (%s) must be %s", format, FORMAT);
        Checks.require(Double.isFinite(now), "now (%s) must be a finite number", now);
        acceleratorTypes = Checks.copy(acceleratorTypes);
        pools = Checks.copy(pools);
        nodes = Checks.copy(nodes);
        reservations = Checks.copy(reservations);
        tenants = Checks.copy(tenants);
        groups = Checks.copy(groups);
        jobs = Checks.copy(jobs);
        preparations = Checks.copy(preparations);
        memoryUse = Checks.copy(memoryUse);
        maintenance = Checks.copy(maintenance);
        pastUsage = Checks.copy(pastUsage);
    }

    /** A problem in which no data is prepared and no node is to be maintained. */
    public RoundProblem(
            String format,
            double now,
            RoundSettings settings,
            List<AcceleratorType> acceleratorTypes,
            List<Pool> pools,
            List<Node> nodes,
            List<Reservation> reservations,
            List<Tenant> tenants,
            List<JobGroup> groups,
            List<Job> jobs,
            RoundMemory memory) {
        this(
                format,
                now,
                settings,
                acceleratorTypes,
                pools,
                nodes,
                reservations,
                tenants,
                groups,
                jobs,
                memory,
                List.of(),
                List.of(),
                List.of(),
                List.of());
    }

    /** This problem at another moment. */
    public RoundProblem at(double moment) {
        return edited(edit -> edit.now = moment);
    }

    /** This problem with other settings. */
    public RoundProblem withSettings(RoundSettings other) {
        return edited(edit -> edit.settings = other);
    }

    /** This problem with other jobs. */
    public RoundProblem withJobs(List<Job> other) {
        return edited(edit -> edit.jobs = other);
    }

    /** This problem with other nodes. */
    public RoundProblem withNodes(List<Node> other) {
        return edited(edit -> edit.nodes = other);
    }

    /**
     * This problem with some of its nodes alone, and nothing that is said of the others; what jobs hold is left as it
     * is.
     */
    public RoundProblem onlyOn(List<Node> some) {
        Set<String> there = some.stream().map(Node::id).collect(Collectors.toSet());
        return edited(edit -> {
            edit.nodes = some;
            edit.reservations = reservations.stream()
                    .map(reservation -> reservation.within(there))
                    .filter(reservation -> !reservation.nodes().isEmpty())
                    .toList();
            edit.maintenance = maintenance.stream()
                    .map(window -> window.within(there))
                    .filter(window -> !window.nodes().isEmpty())
                    .toList();
            edit.memoryUse =
                    memoryUse.stream().filter(use -> there.contains(use.node())).toList();
        });
    }

    /** This problem with other tenants. */
    public RoundProblem withTenants(List<Tenant> other) {
        return edited(edit -> edit.tenants = other);
    }

    /** This problem with other groups. */
    public RoundProblem withGroups(List<JobGroup> other) {
        return edited(edit -> edit.groups = other);
    }

    /** This problem with other reservations. */
    public RoundProblem withReservations(List<Reservation> other) {
        return edited(edit -> edit.reservations = other);
    }

    /** This problem with what another round left. */
    public RoundProblem withMemory(RoundMemory other) {
        return edited(edit -> edit.memory = other);
    }

    /** This problem with every node open to all tenants. */
    public RoundProblem withoutReservations() {
        return withReservations(List.of());
    }

    /** This problem with other preparations. */
    public RoundProblem withPreparations(List<Preparation> other) {
        return edited(edit -> edit.preparations = other);
    }

    /** This problem with other use of memory. */
    public RoundProblem withMemoryUse(List<MemoryUse> other) {
        return edited(edit -> edit.memoryUse = other);
    }

    /** This problem with other maintenance. */
    public RoundProblem withMaintenance(List<MaintenanceWindow> other) {
        return edited(edit -> edit.maintenance = other);
    }

    /** This problem with other past usage. */
    public RoundProblem withPastUsage(List<PastUsage> other) {
        return edited(edit -> edit.pastUsage = other);
    }

    /** How the tenants stand to each other. */
    public FairShare fairShare() {
        return new FairShare(tenants, pastUsage, settings.fairShare());
    }

    private RoundProblem edited(Consumer<RoundProblemEdit> change) {
        RoundProblemEdit edit = new RoundProblemEdit(this);
        change.accept(edit);
        return edit.done();
    }
}
