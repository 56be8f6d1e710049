package dev.spur.model.round;

import dev.spur.model.cluster.MaintenanceWindow;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.Reservation;
import dev.spur.model.dataprep.MemoryUse;
import dev.spur.model.dataprep.Preparation;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobGroup;
import dev.spur.model.performance.MeasuredFamily;
import dev.spur.model.tenant.PastUsage;
import dev.spur.model.tenant.Tenant;
import java.util.List;

/** A builder of a problem that differs from a base problem in the values set here. */
final class RoundProblemEdit {
    private final RoundProblem baseProblem;
    double now;
    RoundSettings settings;
    List<Node> nodes;
    List<Reservation> reservations;
    List<Tenant> tenants;
    List<JobGroup> groups;
    List<Job> jobs;
    RoundMemory memory;
    List<Preparation> preparations;
    List<MemoryUse> memoryUse;
    List<MaintenanceWindow> maintenance;
    List<PastUsage> pastUsage;
    List<MeasuredFamily> families;

    RoundProblemEdit(RoundProblem baseProblem) {
        this.baseProblem = baseProblem;
        now = baseProblem.now();
        settings = baseProblem.settings();
        nodes = baseProblem.nodes();
        reservations = baseProblem.reservations();
        tenants = baseProblem.tenants();
        groups = baseProblem.groups();
        jobs = baseProblem.jobs();
        memory = baseProblem.memory();
        preparations = baseProblem.preparations();
        memoryUse = baseProblem.memoryUse();
        maintenance = baseProblem.maintenance();
        pastUsage = baseProblem.pastUsage();
        families = baseProblem.families();
    }

    RoundProblem build() {
        return new RoundProblem(
                baseProblem.format(),
                now,
                settings,
                baseProblem.acceleratorTypes(),
                baseProblem.pools(),
                nodes,
                reservations,
                tenants,
                groups,
                jobs,
                memory,
                preparations,
                memoryUse,
                maintenance,
                pastUsage,
                families);
    }
}
