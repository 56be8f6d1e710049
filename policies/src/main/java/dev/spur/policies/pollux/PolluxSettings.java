package dev.spur.policies.pollux;

import dev.spur.model.Checks;

/**
 * Parameters of the search.
 *
 * @param power exponent of the power mean of normalized goodput; 0 for the geometric mean. A lower exponent is fairer
 * @param population size of the population
 * @param generations number of generations
 */
public record PolluxSettings(double power, int population, int generations) {
    /** Parameters of Sia's authors. */
    public static final PolluxSettings DEFAULT = new PolluxSettings(-1, 100, 100);

    public PolluxSettings {
        Checks.require(Double.isFinite(power), "power (%s) must be finite", power);
        Checks.atLeast("population", population, 2);
        Checks.atLeast("generations", generations, 0);
    }
}
