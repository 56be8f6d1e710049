package dev.spur.prediction;

import dev.spur.model.Checks;

/**
 * Step time of data-parallel training with AllReduce, by nodes, slots and batch size. Source: Qiao et al., Pollux, OSDI
 * '21, section 3.2.
 *
 * <p>A pass takes {@code alphaC + betaC * m} seconds on a device with m samples. Synchronization takes no time on one
 * slot, {@code alphaR + betaR * (k - 2)} on k slots of one node, and {@code alphaN + betaN * (k - 2)} across nodes. The
 * two overlap in the last pass of a step. Their combined time is the {@code gamma}-norm: no overlap at 1, nearly the
 * longer of the two at 10.
 *
 * @param alphaC constant of a pass, s
 * @param betaC seconds per sample of a pass
 * @param alphaN constant of synchronization across nodes, s
 * @param betaN seconds for each slot beyond the second, across nodes
 * @param alphaR constant of synchronization within a node, s
 * @param betaR seconds for each slot beyond the second, within a node
 * @param gamma overlap, from 1 to 10
 */
public record StepTimeModel(
        double alphaC, double betaC, double alphaN, double betaN, double alphaR, double betaR, double gamma) {
    /** Maximum overlap: beyond it the norm hardly differs from the maximum. */
    public static final double MAX_GAMMA = 10;

    public StepTimeModel {
        Checks.atLeast("alphaC", alphaC, 0);
        Checks.atLeast("betaC", betaC, 0);
        Checks.require(alphaC + betaC > 0, "a pass must take time: alphaC (%s), betaC (%s)", alphaC, betaC);
        Checks.atLeast("alphaN", alphaN, 0);
        Checks.atLeast("betaN", betaN, 0);
        Checks.atLeast("alphaR", alphaR, 0);
        Checks.atLeast("betaR", betaR, 0);
        Checks.require(gamma >= 1 && gamma <= MAX_GAMMA, "gamma (%s) must be from 1 to %s", gamma, MAX_GAMMA);
    }

    /** Returns the seconds of a pass over {@code perDeviceBatch} samples, without synchronization. */
    public double gradientSeconds(double perDeviceBatch) {
        return alphaC + betaC * perDeviceBatch;
    }

    /** Returns the seconds of synchronization without overlap; 0 on one slot. */
    public double syncSeconds(int nodes, int slots) {
        if (slots == 1) {
            return 0;
        }
        return nodes == 1 ? alphaR + betaR * (slots - 2) : alphaN + betaN * (slots - 2);
    }

    /**
     * Returns the seconds of a step.
     *
     * @param nodes nodes used, from 1 to {@code slots}
     * @param slots devices used
     * @param perDeviceBatch samples of one pass on one device
     * @param accumulationSteps passes before the one that synchronizes, at least 0
     */
    public double stepSeconds(int nodes, int slots, double perDeviceBatch, int accumulationSteps) {
        double gradient = gradientSeconds(perDeviceBatch);
        return accumulationSteps * gradient + norm(gradient, syncSeconds(nodes, slots), gamma);
    }

    /** Returns the samples per second of all devices together. */
    public double throughput(int nodes, int slots, double perDeviceBatch, int accumulationSteps) {
        double batch = slots * perDeviceBatch * (accumulationSteps + 1);
        return batch / stepSeconds(nodes, slots, perDeviceBatch, accumulationSteps);
    }

    /** Returns {@code (a^gamma + b^gamma)^(1/gamma)}: the sum at 1, close to the maximum for a large gamma. */
    static double norm(double a, double b, double gamma) {
        double larger = Math.max(a, b);
        return larger * Math.pow(Math.pow(a / larger, gamma) + Math.pow(b / larger, gamma), 1 / gamma);
    }
}
