package dev.spur.simulator.eta;

import org.jspecify.annotations.Nullable;

/**
 * What is expected of a job, of training or of preparation.
 *
 * @param jobId the job
 * @param start when it gets slots; null for a job that runs by the decision that the forecast began with
 * @param end when it is done
 * @param replayed what the replays alone say of the end; null if more than half of them did not come so far
 */
public record JobEta(
        String jobId,
        @Nullable EtaInterval start,
        EtaInterval end,
        @Nullable Replayed replayed) {
    /**
     * What replays say of a time before any drift.
     *
     * @param ahead seconds to the median of the samples, at least 0
     * @param variance of the logarithms of the samples that came so far, at least 0
     */
    public record Replayed(double ahead, double variance) {}
}
