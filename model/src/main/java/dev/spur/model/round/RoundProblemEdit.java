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
    private final RoundProblem base;
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

    RoundProblemEdit(RoundProblem base) {
        this.base = base;
        now = base.now();
        settings = base.settings();
        nodes = base.nodes();
        reservations = base.reservations();
        tenants = base.tenants();
        groups = base.groups();
        jobs = base.jobs();
        memory = base.memory();
        preparations = base.preparations();
        memoryUse = base.memoryUse();
        maintenance = base.maintenance();
        pastUsage = base.pastUsage();
        families = base.families();
    }

    RoundProblem build() {
        return new RoundProblem(
                base.format(),
                now,
                settings,
                base.acceleratorTypes(),
                base.pools(),
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
