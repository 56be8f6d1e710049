package dev.spur.simulator.eta;

import org.jspecify.annotations.Nullable;

/**
 * ETA of a training job or a preparation.
 *
 * @param jobId id of the job
 * @param start interval of the start; null for a job that runs by the decision from which the forecast starts
 * @param end interval of the end; null if nothing is known about the speed of the job
 * @param replayed uncorrected statistics of the end; null without {@code end}, and if more than half of the samples are
 *     beyond the simulated time
 */
public record SimulatedEta(
        String jobId,
        @Nullable EtaInterval start,
        @Nullable EtaInterval end,
        @Nullable Replayed replayed) {
    /**
     * Statistics of simulated times before bias correction.
     *
     * @param ahead seconds to the median of the samples, at least 0
     * @param variance variance of the logarithms of the samples within the simulated time, at least 0
     */
    public record Replayed(double ahead, double variance) {}
}
