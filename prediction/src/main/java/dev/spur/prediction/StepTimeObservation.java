package dev.spur.prediction;

import dev.spur.model.Checks;

/**
 * One measured step of data-parallel training.
 *
 * @param nodes nodes used, at most {@code slots}
 * @param slots devices used
 * @param perDeviceBatch samples of one pass on one device
 * @param gradientSeconds seconds of a pass without synchronization, above 0
 * @param stepSeconds seconds of a step of one pass, synchronization included, above 0
 */
public record StepTimeObservation(
        int nodes, int slots, double perDeviceBatch, double gradientSeconds, double stepSeconds) {
    public StepTimeObservation {
        Checks.atLeast("slots", slots, 1);
        Checks.require(nodes >= 1 && nodes <= slots, "nodes (%s) must be from 1 to slots (%s)", nodes, slots);
        Checks.positive("perDeviceBatch", perDeviceBatch);
        Checks.positive("gradientSeconds", gradientSeconds);
        Checks.positive("stepSeconds", stepSeconds);
    }
}
