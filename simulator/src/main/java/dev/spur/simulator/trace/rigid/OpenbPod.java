package dev.spur.simulator.trace.rigid;

import dev.spur.model.Checks;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Pod of the openb trace.
 *
 * @param name its name in the trace
 * @param cpus host CPUs of the whole pod
 * @param memoryGiB host memory of the whole pod, GiB
 * @param slots accelerators, at least 0
 * @param share share of its only accelerator, from 0.01 to 0.99, resolution 0.01; null for whole ones, and for none
 * @param types accelerator types it may run on; empty for all
 */
public record OpenbPod(
        String name,
        double cpus,
        double memoryGiB,
        int slots,
        @Nullable Double share,
        List<String> types) {
    public OpenbPod {
        types = Checks.copy(types);
    }
}
