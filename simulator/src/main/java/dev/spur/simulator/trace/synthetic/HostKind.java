package dev.spur.simulator.trace.synthetic;

import dev.spur.model.job.HostDemand;
import dev.spur.model.job.JobSpec;
import dev.spur.model.performance.HostLevel;
import dev.spur.model.performance.HostSensitivity;
import java.util.List;

/**
 * Dependence of a synthetic job's speed on host CPUs. The job requests its slots' share of CPUs and memory.
 *
 * @param levels speeds by thirds of the CPU share, with the full memory share
 */
record HostKind(List<HostLevel> levels) {
    /**
     * Image training: ResNet-18 on nodes with 3 CPUs per slot, measured with 1 to 6 CPUs and with 9, where it is
     * fastest. Source: Mohan et al., Synergy, OSDI '22.
     */
    static final HostKind HUNGRY = new HostKind(List.of(
            third(1, 0.37), third(2, 0.72), third(3, 1), third(4, 1.3), third(5, 1.53), third(6, 1.75), third(9, 2.4)));

    /** Text training: a third of the share is sufficient. Assumed. */
    static final HostKind FRUGAL = new HostKind(List.of(third(1, 1), third(3, 1)));

    HostKind {
        levels = List.copyOf(levels);
    }

    private static HostLevel third(int thirds, double speed) {
        return new HostLevel(thirds, 1, speed);
    }

    /** Returns {@code spec} with the demand {@code demand} and this dependence on it. */
    JobSpec apply(JobSpec spec, HostDemand demand) {
        List<HostLevel> own = levels.stream()
                .map(level -> new HostLevel(
                        level.cpusPerSlot() / 3 * demand.cpusPerSlot(), demand.memoryGiBPerSlot(), level.speed()))
                .toList();
        return spec.edit().host(demand, new HostSensitivity(own)).build();
    }
}
