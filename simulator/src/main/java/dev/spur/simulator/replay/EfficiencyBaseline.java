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
     * the minimum number of slots of the type of {@code held}, on as few nodes as the profile covers, at the best known
     * batch size there.
     */
    static double slotSeconds(GroundTruth truth, JobSpec spec, Configuration held, double from, double to) {
        Configuration min = of(spec, held);
        double seconds = new JobRun(truth, min, 0, from).secondsUntil(to);
        if (Double.isFinite(seconds)) {
            return min.slots() * seconds;
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
