package dev.spur.model.utility;

import dev.spur.model.Checks;

/**
 * Contribution of the nodes of a configuration to its utility, in addition to its speed.
 *
 * @param pricePerSlotHour price of a slot of the highest-priced node for an hour, at least 0; it counts for all slots
 * @param factor factor of a positive gain, in (0, 1]; below 1 on nodes that the job does not prefer
 */
public record NodeTerms(double pricePerSlotHour, double factor) {
    public NodeTerms {
        Checks.atLeast("pricePerSlotHour", pricePerSlotHour, 0);
        Checks.require(factor > 0 && factor <= 1, "factor (%s) must be above 0 and at most 1", factor);
    }

    /** Terms of nodes with a price, all of which the job prefers or holds. */
    public static NodeTerms ofPrice(double pricePerSlotHour) {
        return new NodeTerms(pricePerSlotHour, 1);
    }

    /** Returns {@code gain}, lowered by the share that the factor is below 1; a negative gain becomes more negative. */
    double lower(double gain) {
        return factor == 1 ? gain : gain - (1 - factor) * Math.abs(gain);
    }
}
