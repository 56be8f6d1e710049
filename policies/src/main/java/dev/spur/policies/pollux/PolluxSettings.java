package dev.spur.policies.pollux;

import dev.spur.model.Checks;

/**
 * Parameters of the search.
 *
 * @param power exponent of the mean of normalized goodputs; 0 for the geometric mean. The lower it is, the fairer
 * @param population plans that are kept
 * @param generations how often new ones are bred
 */
public record PolluxSettings(double power, int population, int generations) {
    /** As Sia's authors ran it. */
    public static final PolluxSettings DEFAULT = new PolluxSettings(-1, 100, 100);

    public PolluxSettings {
        Checks.require(Double.isFinite(power), "power (%s) must be finite", power);
        Checks.atLeast("population", population, 2);
        Checks.atLeast("generations", generations, 0);
    }
}
