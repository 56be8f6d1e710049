package dev.spur.benchmarks.fractions;

import dev.spur.model.Checks;
import dev.spur.model.job.Elasticity;
import dev.spur.simulator.trace.rigid.OpenbPod;
import java.util.List;

/**
 * Request of a pod. Equal pods have equal requests.
 *
 * @param cpus host CPUs of the whole pod
 * @param memoryGiB host memory of the whole pod, GiB
 * @param slots GPUs, at least 0
 * @param partsPerSlot parts of each GPU, from 1 to {@link Elasticity#PARTS}; less than these only with one GPU
 * @param types allowed GPU models; empty for all
 */
public record PodRequest(double cpus, double memoryGiB, int slots, int partsPerSlot, List<String> types) {
    public PodRequest {
        types = Checks.copy(types);
    }

    /** Returns the request of {@code pod}. */
    public static PodRequest of(OpenbPod pod) {
        int parts = pod.share() == null ? Elasticity.PARTS : (int) Math.round(pod.share() * Elasticity.PARTS);
        return new PodRequest(pod.cpus(), pod.memoryGiB(), pod.slots(), parts, pod.types());
    }

    /** Returns the parts of all its GPUs. */
    int parts() {
        return slots * partsPerSlot;
    }

    /** Returns true if it takes a part of one GPU. */
    boolean isShare() {
        return partsPerSlot < Elasticity.PARTS;
    }

    boolean allowsType(String type) {
        return types.isEmpty() || types.contains(type);
    }
}
