package dev.spur.policies.sia;

import dev.spur.model.Checks;

/**
 * Parameters of Sia.
 *
 * @param power exponent of normalized goodput, not 0; a lower exponent is fairer
 * @param waitPenalty cost of a waiting job, above 0
 * @param changePenalty cost of a job whose configuration changes, at least 0
 * @param step powers of goodput are rounded to multiples of this, at least 0; 0 for no rounding
 */
public record SiaSettings(double power, double waitPenalty, double changePenalty, double step) {
    /** Parameters of the paper. */
    public static final SiaSettings DEFAULT = new SiaSettings(-0.5, 1.1, 0.01, 0);

    /** Parameters of the authors' published simulator, which rounds to hundredths and has no cost of changes. */
    public static final SiaSettings PROGRAM = new SiaSettings(-0.5, 1.1, 0, 0.01);

    public SiaSettings {
        Checks.require(power != 0 && Double.isFinite(power), "power (%s) must not be 0", power);
        Checks.positive("waitPenalty", waitPenalty);
        Checks.atLeast("changePenalty", changePenalty, 0);
        Checks.atLeast("step", step, 0);
    }
}
