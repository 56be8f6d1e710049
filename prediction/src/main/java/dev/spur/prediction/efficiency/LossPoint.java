package dev.spur.prediction.efficiency;

import dev.spur.model.Checks;

/**
 * A measured loss.
 *
 * @param work completed work in epochs, samples, or any other consistent unit, at least 0
 * @param loss training or validation loss, always the same of the two
 */
public record LossPoint(double work, double loss) {
    public LossPoint {
        Checks.atLeast("work", work, 0);
        Checks.require(Double.isFinite(loss), "loss (%s) must be finite", loss);
    }
}
