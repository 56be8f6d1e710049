package dev.spur.simulator.trace;

import dev.spur.model.allocation.Configuration;
import java.util.List;

/**
 * How a job really runs. Without state of its own, so that several replays may ask at once. Progress counts useful
 * samples, that is samples at the job's initial batch size; it starts at 0.
 */
public interface GroundTruth {
    /**
     * How fast the job progresses from {@code doneSamples} on while it holds {@code configuration}. Of a job that
     * {@linkplain #tunesBatch() tunes its batch size}, the batch size of the configuration is not looked at.
     *
     * @param doneSamples progress so far, at least 0
     */
    ProgressRate pace(Configuration configuration, double doneSamples);

    /**
     * The configuration in which the job really runs while it holds {@code held}: with the batch size that it chooses
     * itself.
     *
     * @param doneSamples progress so far, at least 0
     */
    default Configuration running(Configuration held, double doneSamples) {
        return held;
    }

    /**
     * The truth of the same job once it has run in all of {@code ran}, and has heard that its family ran in all of
     * {@code kin}. Not itself only for jobs that tune by what they have learnt; the same object for the same lists.
     */
    default GroundTruth after(List<Configuration> ran, List<Configuration> kin) {
        return this;
    }

    /**
     * Seconds from getting slots to the first progress.
     *
     * @param first true for the first start of the job, false for each start after a change of configuration or nodes
     */
    double startSeconds(boolean first);

    /**
     * True if the job chooses its batch size itself while it runs, without a restart, as adaptive jobs do (Pollux, OSDI
     * '21).
     */
    default boolean tunesBatch() {
        return false;
    }
}
