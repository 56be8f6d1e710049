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
import dev.spur.model.performance.MeasuredFamily;
import dev.spur.model.tenant.FairShare;
import dev.spur.model.tenant.PastUsage;
import dev.spur.model.tenant.Tenant;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The input of a round: an immutable copy of the cluster and the jobs at one time. It is also the saved snapshot, the
 * body of a stateless solve request and the input of {@code spur solve}. The consistency of its parts is checked by
 * {@link dev.spur.model.validation.ProblemCheck}, which reports all violations at once.
 *
 * @param format always {@link #FORMAT}
 * @param now time of the snapshot in seconds, on a clock that the caller chooses; all times below use it
 * @param settings planning settings
 * @param acceleratorTypes the accelerator types
 * @param pools the pools
 * @param nodes the nodes; their order breaks ties of placement
 * @param reservations reservations of nodes
 * @param tenants the tree of tenants
 * @param groups groups of jobs with their own caps; none if absent in a file
 * @param jobs the active jobs, running and waiting; their profiles contain the contention of the types
 * @param memory policy state of the last round
 * @param preparations the active data preparations; none if absent in a file
 * @param memoryUse memory in use that is not granted to any job, by node; none if absent in a file
 * @param maintenance active and upcoming maintenance windows; none if absent in a file
 * @param pastUsage past usage of tenants, where fair share is enabled; tenants that are not listed have none
 * @param families measured families; none if the profiles of the jobs are complete, as in saved snapshots of rounds
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
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<PastUsage> pastUsage,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<MeasuredFamily> families) {
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
        jobs = new NetworkSharing(acceleratorTypes, nodes).apply(Checks.copy(jobs));
        preparations = Checks.copy(preparations);
        memoryUse = Checks.copy(memoryUse);
        maintenance = Checks.copy(maintenance);
        pastUsage = Checks.copy(pastUsage);
        families = Checks.copy(families);
    }

    /** A problem without preparations and maintenance. */
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
                List.of(),
                List.of());
    }

    /** Returns this problem at another time. */
    public RoundProblem at(double moment) {
        return edit(edit -> edit.now = moment);
    }

    /** Returns this problem with other settings. */
    public RoundProblem withSettings(RoundSettings other) {
        return edit(edit -> edit.settings = other);
    }

    /** Returns this problem with other jobs. */
    public RoundProblem withJobs(List<Job> other) {
        return edit(edit -> edit.jobs = other);
    }

    /** Returns this problem with other nodes. */
    public RoundProblem withNodes(List<Node> other) {
        return edit(edit -> edit.nodes = other);
    }

    /**
     * Returns this problem restricted to some of its nodes, without the reservations, maintenance and memory use of the
     * others. The allocations of jobs do not change.
     */
    public RoundProblem onlyOn(List<Node> someNodes) {
        Set<String> retained = someNodes.stream().map(Node::id).collect(Collectors.toSet());
        return edit(edit -> {
            edit.nodes = someNodes;
            edit.reservations = reservations.stream()
                    .map(reservation -> reservation.within(retained))
                    .filter(reservation -> !reservation.nodes().isEmpty())
                    .toList();
            edit.maintenance = maintenance.stream()
                    .map(window -> window.within(retained))
                    .filter(window -> !window.nodes().isEmpty())
                    .toList();
            edit.memoryUse = memoryUse.stream()
                    .filter(use -> retained.contains(use.node()))
                    .toList();
        });
    }

    /** Returns this problem with other tenants. */
    public RoundProblem withTenants(List<Tenant> other) {
        return edit(edit -> edit.tenants = other);
    }

    /** Returns this problem with other groups. */
    public RoundProblem withGroups(List<JobGroup> other) {
        return edit(edit -> edit.groups = other);
    }

    /** Returns this problem with other reservations. */
    public RoundProblem withReservations(List<Reservation> other) {
        return edit(edit -> edit.reservations = other);
    }

    /** Returns this problem with another policy state. */
    public RoundProblem withMemory(RoundMemory other) {
        return edit(edit -> edit.memory = other);
    }

    /** Returns this problem with every node available to all tenants. */
    public RoundProblem withoutReservations() {
        return withReservations(List.of());
    }

    /** Returns this problem with other preparations. */
    public RoundProblem withPreparations(List<Preparation> other) {
        return edit(edit -> edit.preparations = other);
    }

    /** Returns this problem with other memory use. */
    public RoundProblem withMemoryUse(List<MemoryUse> other) {
        return edit(edit -> edit.memoryUse = other);
    }

    /** Returns this problem with other maintenance windows. */
    public RoundProblem withMaintenance(List<MaintenanceWindow> other) {
        return edit(edit -> edit.maintenance = other);
    }

    /** Returns this problem with other past usage. */
    public RoundProblem withPastUsage(List<PastUsage> other) {
        return edit(edit -> edit.pastUsage = other);
    }

    /** Returns this problem with other measured families. */
    public RoundProblem withFamilies(List<MeasuredFamily> other) {
        return edit(edit -> edit.families = other);
    }

    /** Returns the fair-share factors of the tenants. */
    public FairShare fairShare() {
        return new FairShare(tenants, pastUsage, settings.fairShare());
    }

    private RoundProblem edit(Consumer<RoundProblemEdit> change) {
        RoundProblemEdit edit = new RoundProblemEdit(this);
        change.accept(edit);
        return edit.build();
    }
}
