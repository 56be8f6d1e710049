package dev.spur.simulator.experiment;

import dev.spur.model.Checks;
import dev.spur.model.objective.Objective;
import java.util.List;

/**
 * How much of an experiment is run, and how.
 *
 * @param loads loads, at least one
 * @param seeds traces for each load, at least 1; their seeds are 1, 2, ..
 * @param objective what Spur's own policy plans for where the variant does not say
 * @param workers replays at the same time, at least 1
 */
public record GridSettings(List<Double> loads, int seeds, Objective objective, int workers) {
    public GridSettings {
        loads = Checks.copy(loads);
        Checks.require(!loads.isEmpty(), "there must be a load");
        loads.forEach(load -> Checks.positive("loads", load));
        Checks.atLeast("seeds", seeds, 1);
        Checks.atLeast("workers", workers, 1);
    }
}
