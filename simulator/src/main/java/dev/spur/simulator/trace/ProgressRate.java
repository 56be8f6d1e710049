package dev.spur.simulator.trace;

import dev.spur.model.Checks;

/**
 * A rate of progress, and the stretch on which it holds.
 *
 * @param samplesPerSecond effective samples per second, at least 0; 0 means that the job stands still in this
 *     configuration
 * @param untilSamples progress at which the rate changes or the job ends, above the progress asked for unless
 *     {@code endsThere}; infinite if the rate never changes
 * @param endsThere true if the job is done as soon as its progress is at least {@code untilSamples}
 */
public record ProgressRate(double samplesPerSecond, double untilSamples, boolean endsThere) {
    public ProgressRate {
        Checks.atLeast("samplesPerSecond", samplesPerSecond, 0);
        Checks.require(!Double.isNaN(untilSamples), "untilSamples must be a number");
        Checks.require(!endsThere || Double.isFinite(untilSamples), "an end (%s) must be finite", untilSamples);
    }
}
