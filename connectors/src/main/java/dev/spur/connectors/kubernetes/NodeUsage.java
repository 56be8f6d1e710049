package dev.spur.connectors.kubernetes;

import dev.spur.connectors.HostResources;
import dev.spur.connectors.PlatformJob;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * Use of a node by pods.
 *
 * @param gpus GPUs that pods hold
 * @param cpus CPUs that pods outside of Spur's plan request
 * @param memoryGiB memory that pods outside of Spur's plan request, GiB
 * @param plannedCpus CPUs that Spur plans for the jobs that run there
 * @param plannedMemoryGiB memory that Spur plans for the jobs that run there, GiB
 */
record NodeUsage(int gpus, double cpus, double memoryGiB, double plannedCpus, double plannedMemoryGiB) {
    static final NodeUsage NONE = new NodeUsage(0, 0, 0, 0, 0);

    /**
     * Sums the use of a node. The use outside of the plan is rounded up to whole CPUs and GiB, so that small pods do
     * not change the node each time.
     *
     * @param planned pods that Spur's plan contains
     * @param jobs jobs that Spur runs
     */
    static NodeUsage of(String node, Collection<Pod> pods, Predicate<Pod> planned, Collection<PlatformJob> jobs) {
        int gpus = 0;
        double cpus = 0;
        double memory = 0;
        for (Pod pod : pods) {
            if (pod.isActive() && pod.node().equals(node)) {
                gpus += pod.gpus();
                cpus += planned.test(pod) ? 0 : pod.cpus();
                memory += planned.test(pod) ? 0 : pod.memoryGiB();
            }
        }
        return new NodeUsage(
                gpus,
                Math.ceil(cpus),
                Math.ceil(memory),
                demand(node, jobs, "cpus", HostResources::cpus),
                demand(node, jobs, "memory", HostResources::memoryGiB));
    }

    /** Returns what jobs are granted on a node: what their last start granted, else what they state. */
    private static double demand(
            String node, Collection<PlatformJob> jobs, String resource, ToDoubleFunction<HostResources> granted) {
        return jobs.stream()
                .mapToDouble(job -> job.held().on(node)
                        * Optional.ofNullable(job.held().host())
                                .map(granted::applyAsDouble)
                                .orElseGet(() -> job.annotation().number(resource)))
                .sum();
    }

    /** Returns the CPUs that Spur may plan, at least those of the jobs that run there. */
    double freeCpus(double allocatable) {
        return free(allocatable, cpus, plannedCpus);
    }

    /** Returns the memory that Spur may plan, GiB, at least that of the jobs that run there. */
    double freeMemoryGiB(double allocatable) {
        return free(allocatable, memoryGiB, plannedMemoryGiB);
    }

    private static double free(double allocatable, double used, double planned) {
        return Math.max(allocatable - used, Math.min(allocatable, planned));
    }
}
