package dev.spur.model.round;

import dev.spur.model.Checks;
import java.util.List;
import java.util.Map;

/**
 * What a solve did. Times differ from run to run, everything else of a plan does not.
 *
 * @param jobs jobs in the problem
 * @param candidates candidates after dominance, keeping an allocation included
 * @param rows constraints that couple jobs
 * @param work deterministic work units spent
 * @param steps the steps in order, with their times
 * @param prices by resource name: what one more unit would be worth, an estimate read off a relaxation; empty if none
 *     was solved
 * @param shadowPrices the same for what people know, with what is not scarce; empty if none was solved
 */
public record SolveFigures(
        int jobs,
        int candidates,
        int rows,
        double work,
        List<StepTime> steps,
        Map<String, Double> prices,
        List<ShadowPrice> shadowPrices) {
    public SolveFigures {
        steps = Checks.copy(steps);
        prices = Checks.copy(prices);
        shadowPrices = Checks.copy(shadowPrices);
    }

    /** The same with other steps. */
    public SolveFigures withSteps(List<StepTime> other) {
        return new SolveFigures(jobs, candidates, rows, work, other, prices, shadowPrices);
    }
}
