package dev.spur.simulator.experiment;

import dev.spur.model.Checks;
import dev.spur.model.objective.Objective;
import java.util.List;

/**
 * Extent and execution of an experiment.
 *
 * @param loads loads, at least one
 * @param seeds number of traces per load, at least 1; their seeds are 1, 2, ..
 * @param objective objective of Spur's own policy if the variant has none
 * @param workers number of concurrent replays, at least 1
 */
public record GridSettings(List<Double> loads, int seeds, Objective objective, int workers) {
    public GridSettings {
        loads = Checks.copy(loads);
        Checks.require(!loads.isEmpty(), "The grid has no load; at least one is required");
        loads.forEach(load -> Checks.positive("loads", load));
        Checks.atLeast("seeds", seeds, 1);
        Checks.atLeast("workers", workers, 1);
    }
}
