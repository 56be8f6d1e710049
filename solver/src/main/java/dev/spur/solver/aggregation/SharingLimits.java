package dev.spur.solver.aggregation;

import dev.spur.model.Checks;

/**
 * How far aggregators are shared.
 *
 * @param utilisation share of its time that a slot may be busy, above 0 and up to 1
 * @param loss share of its step that any job may wait for the bursts of others, at least 0; 0 lets nobody share
 * @param meanLoss the same on average over the jobs that wait for others at all, at least 0
 * @param delay which delay counts
 */
public record SharingLimits(double utilisation, double loss, double meanLoss, Delay delay) {
    /**
     * Slots are busy for up to nine tenths; nobody is expected to lose more than 10 %, all together no more than 5 % on
     * average.
     */
    public static final SharingLimits DEFAULT = new SharingLimits(0.9, 0.1, 0.05, Delay.EXPECTED);

    /** Delays by what others have on the same slot. */
    public enum Delay {
        /** The chance that another one is busy, times half of its burst. */
        EXPECTED,
        /** One whole burst of each. */
        WORST;

        /** What a job with {@code busySeconds} in each step of {@code stepSeconds} adds to the delay of the others. */
        double of(double busySeconds, double stepSeconds) {
            return this == WORST ? busySeconds : busySeconds * (busySeconds / stepSeconds) / 2;
        }
    }

    public SharingLimits {
        Checks.positive("utilisation", utilisation);
        Checks.require(utilisation <= 1, "utilisation (%s) must be at most 1", utilisation);
        Checks.atLeast("loss", loss, 0);
        Checks.atLeast("meanLoss", meanLoss, 0);
    }
}
