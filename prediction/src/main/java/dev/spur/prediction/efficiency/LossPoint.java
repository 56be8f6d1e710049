package dev.spur.prediction.efficiency;

import dev.spur.model.Checks;

/**
 * A measured loss.
 *
 * @param epochs epochs done by then, fractions included, at least 0
 * @param loss training or validation loss, always the same of the two
 */
public record LossPoint(double epochs, double loss) {
    public LossPoint {
        Checks.atLeast("epochs", epochs, 0);
        Checks.require(Double.isFinite(loss), "loss (%s) must be finite", loss);
    }
}
