package dev.spur.model.performance;

import dev.spur.model.Checks;

/**
 * A known value of the statistical efficiency.
 *
 * @param batchSize global batch size
 * @param efficiency progress per sample relative to the initial batch size, in (0, 1]
 */
public record EfficiencyPoint(int batchSize, double efficiency) {
    public EfficiencyPoint {
        Checks.atLeast("batchSize", batchSize, 1);
        Checks.require(efficiency > 0 && efficiency <= 1, "efficiency (%s) must be in (0, 1]", efficiency);
    }
}
