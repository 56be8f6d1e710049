package dev.spur.simulator.replay;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.Shapes;
import dev.spur.model.job.JobSpec;
import dev.spur.model.utility.Goodput;
import dev.spur.simulator.trace.GroundTruth;

/**
 * Baseline of training efficiency: the work of an allocation interval, done on the minimum number of slots of the same
 * accelerator type.
 */
final class EfficiencyBaseline {
    private EfficiencyBaseline() {}

    /**
     * Returns the slot-seconds for the progress from {@code from} to {@code to} in the smallest configuration. It has
     * the minimum number of slots of the type of {@code heldConfiguration}, on as few nodes as the profile covers, at
     * the best known batch size there.
     */
    static double slotSeconds(
            GroundTruth truth, JobSpec spec, Configuration heldConfiguration, double from, double to) {
        Configuration min = of(spec, heldConfiguration);
        double seconds = new JobRun(truth, min, 0, from).secondsUntil(to);
        if (Double.isFinite(seconds)) {
            return spec.devicesIn(min) * seconds;
        }
        return spec.devicesIn(heldConfiguration) * new JobRun(truth, heldConfiguration, 0, from).secondsUntil(to);
    }

    private static Configuration of(JobSpec spec, Configuration heldConfiguration) {
        for (int slots : spec.elasticity().counts(heldConfiguration.slots())) {
            int nodes = spec
                    .profile()
                    .nodeCounts(heldConfiguration.acceleratorType(), heldConfiguration.strategy(), slots)
                    .stream()
                    .findFirst()
                    .orElse(Math.min(slots, heldConfiguration.nodes()));
            Goodput.Best best = Goodput.best(
                    spec,
                    heldConfiguration.acceleratorType(),
                    slots,
                    nodes,
                    heldConfiguration.strategy(),
                    heldConfiguration.aggregationSlots());
            if (best != null) {
                return new Configuration(
                        heldConfiguration.pool(),
                        heldConfiguration.acceleratorType(),
                        Shapes.even(slots, nodes),
                        heldConfiguration.strategy(),
                        heldConfiguration.aggregationSlots(),
                        best.batch(),
                        spec.batch().accumulationSteps(best.batch(), heldConfiguration.acceleratorType(), slots));
            }
        }
        return heldConfiguration;
    }
}
