package dev.spur.simulator.replay;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.Shapes;
import dev.spur.model.job.JobSpec;
import dev.spur.model.utility.Goodput;
import dev.spur.simulator.trace.GroundTruth;

/**
 * What training efficiency is measured by: the work of a stay, done on the fewest slots of the same accelerator type.
 */
final class EfficiencyBaseline {
    private EfficiencyBaseline() {}

    /**
     * Slot-seconds for the progress from {@code from} to {@code to} in the smallest configuration: the fewest slots of
     * the type that {@code held} has, on as few nodes as are known, at the batch size that is best there by what is
     * known.
     */
    static double slotSeconds(GroundTruth truth, JobSpec spec, Configuration held, double from, double to) {
        Configuration least = of(spec, held);
        double seconds = new JobRun(truth, least, 0, from).secondsUntil(to);
        if (Double.isFinite(seconds)) {
            return least.slots() * seconds;
        }
        return held.slots() * new JobRun(truth, held, 0, from).secondsUntil(to);
    }

    private static Configuration of(JobSpec spec, Configuration held) {
        for (int slots : spec.elasticity().counts(held.slots())) {
            int nodes = spec.profile().nodeCounts(held.acceleratorType(), held.strategy(), slots).stream()
                    .findFirst()
                    .orElse(Math.min(slots, held.nodes()));
            Goodput.Best best =
                    Goodput.best(spec, held.acceleratorType(), slots, nodes, held.strategy(), held.aggregationSlots());
            if (best != null) {
                return new Configuration(
                        held.pool(),
                        held.acceleratorType(),
                        Shapes.even(slots, nodes),
                        held.strategy(),
                        held.aggregationSlots(),
                        best.batch(),
                        spec.batch().accumulationSteps(best.batch(), held.acceleratorType(), slots));
            }
        }
        return held;
    }
}
