package dev.spur.simulator.trace.synthetic;

import dev.spur.model.job.HostDemand;
import dev.spur.model.job.JobSpec;
import dev.spur.model.performance.HostLevel;
import dev.spur.model.performance.HostSensitivity;
import java.util.ArrayList;
import java.util.List;

/** How the speed of a made-up job depends on host CPUs. It states the share of its slots, of CPUs and of memory. */
enum HostKind {
    /**
     * As training on images: ResNet-18 on nodes with 3 CPUs a slot, where 1 to 6 CPUs and 9, at which it is fastest, were measured. On
     * other nodes the same parts of the share count. Source: Mohan et al., Synergy, OSDI '22.
     */
    HUNGRY(new double[] {1, 2, 3, 4, 5, 6, 9}, new double[] {0.37, 0.72, 1, 1.3, 1.53, 1.75, 2.4}),

    /** As training on text: a third of the share is enough. Assumed. */
    FRUGAL(new double[] {1, 3}, new double[] {1, 1});

    /** CPUs of a slot's share where the levels were measured. */
    private static final double SHARE = 3;

    private final double[] cpus;
    private final double[] speeds;

    HostKind(double[] cpus, double[] speeds) {
        this.cpus = cpus;
        this.speeds = speeds;
    }

    /** {@code spec}, which states {@code share} and depends on it so. */
    JobSpec applied(JobSpec spec, HostDemand share) {
        List<HostLevel> levels = new ArrayList<>();
        for (int i = 0; i < cpus.length; i++) {
            double own = cpus[i] == SHARE ? share.cpusPerSlot() : cpus[i] / SHARE * share.cpusPerSlot();
            levels.add(new HostLevel(own, share.memoryGiBPerSlot(), speeds[i]));
        }
        return spec.edit().host(share, new HostSensitivity(levels)).done();
    }
}
