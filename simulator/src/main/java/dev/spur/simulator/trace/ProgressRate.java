package dev.spur.simulator.trace;

import dev.spur.model.Checks;

/**
 * Progress rate, and the interval of progress on which it holds.
 *
 * @param samplesPerSecond effective samples per second, at least 0; 0 means that the job makes no progress in this
 *     configuration
 * @param untilSamples progress at which the rate changes or the job ends; infinite if the rate never changes. It
 *     exceeds the progress asked for unless {@code endsThere}
 * @param endsThere true if the job is done as soon as its progress is at least {@code untilSamples}
 */
public record ProgressRate(double samplesPerSecond, double untilSamples, boolean endsThere) {
    public ProgressRate {
        Checks.atLeast("samplesPerSecond", samplesPerSecond, 0);
        Checks.require(!Double.isNaN(untilSamples), "untilSamples must be a number");
        Checks.require(!endsThere || Double.isFinite(untilSamples), "an end (%s) must be finite", untilSamples);
    }
}
