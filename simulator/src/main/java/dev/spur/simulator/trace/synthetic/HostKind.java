package dev.spur.simulator.trace.synthetic;

import dev.spur.model.job.HostDemand;
import dev.spur.model.job.JobSpec;
import dev.spur.model.performance.HostLevel;
import dev.spur.model.performance.HostSensitivity;
import java.util.List;

/**
 * How the speed of a made-up job depends on host CPUs. It states the share of its slots, of CPUs and of memory.
 *
 * @param levels by thirds of the share of CPUs, with all of the share of memory
 */
record HostKind(List<HostLevel> levels) {
    /**
     * As training on images: ResNet-18 on nodes with 3 CPUs a slot, where 1 to 6 CPUs and 9, at which it is fastest,
     * were measured. Source: Mohan et al., Synergy, OSDI '22.
     */
    static final HostKind HUNGRY = new HostKind(List.of(
            third(1, 0.37), third(2, 0.72), third(3, 1), third(4, 1.3), third(5, 1.53), third(6, 1.75), third(9, 2.4)));

    /** As training on text: a third of the share is enough. Assumed. */
    static final HostKind FRUGAL = new HostKind(List.of(third(1, 1), third(3, 1)));

    HostKind {
        levels = List.copyOf(levels);
    }

    private static HostLevel third(int thirds, double speed) {
        return new HostLevel(thirds, 1, speed);
    }

    /** {@code spec}, which states {@code share} and depends on it so. */
    JobSpec applied(JobSpec spec, HostDemand share) {
        List<HostLevel> own = levels.stream()
                .map(level -> new HostLevel(
                        level.cpusPerSlot() / 3 * share.cpusPerSlot(), share.memoryGiBPerSlot(), level.speed()))
                .toList();
        return spec.edit().host(share, new HostSensitivity(own)).done();
    }
}
