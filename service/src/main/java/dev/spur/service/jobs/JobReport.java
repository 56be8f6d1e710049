package dev.spur.service.jobs;

import dev.spur.model.Checks;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Progress report of an executor.
 *
 * @param generation number of the allocation under which the job runs
 * @param seq number of the report within the generation
 * @param samplesTotal raw samples over the whole job; null for a data preparation
 * @param doneSeconds completed work of a data preparation, in seconds with its working set in local memory; null for a
 *     training job
 * @param activity activity of the borrowed memory of a data preparation, by lender
 * @param state RUNNING, COMPLETED or FAILED
 * @param detail optional text for users
 * @param measured steps measured under the allocation; null for none
 * @param loss training loss; null if it was not reported
 * @param lastCheckpointStep step of the newest checkpoint; null if it was not reported
 * @param checkpointSamples raw samples in the newest checkpoint of the generation; null if it has saved none
 * @param changes measured changes within the generation, by number
 * @param stepTimes times of the first and the last step of the generation; null if they were not measured
 */
public record JobReport(
        long generation,
        long seq,
        @Nullable Double samplesTotal,
        @Nullable Double doneSeconds,
        Map<String, Double> activity,
        String state,
        @Nullable String detail,
        @Nullable StepMeasurement measured,
        @Nullable Double loss,
        @Nullable Long lastCheckpointStep,
        @Nullable Double checkpointSamples,
        List<MeasuredChange> changes,
        @Nullable StepTimes stepTimes) {
    public JobReport {
        activity = Checks.copy(activity);
        changes = Checks.copy(changes);
    }

    /**
     * Times of steps of a generation, before the report was sent.
     *
     * @param firstSecondsAgo seconds since the first step began
     * @param lastSecondsAgo seconds since the last step ended
     */
    public record StepTimes(double firstSecondsAgo, double lastSecondsAgo) {}

    /** Creates the report of a training job that counts samples and nothing else. */
    public static JobReport ofSamples(long generation, long seq, double samples) {
        return new JobReport(
                generation, seq, samples, null, Map.of(), "RUNNING", null, null, null, null, null, List.of(), null);
    }

    /** Returns the raw samples of a training job. */
    public double samples() {
        return samplesTotal == null ? 0 : samplesTotal;
    }

    /** Returns this report with another sample count. */
    public JobReport withSamplesTotal(double samples) {
        return new JobReport(
                generation,
                seq,
                samples,
                doneSeconds,
                activity,
                state,
                detail,
                measured,
                loss,
                lastCheckpointStep,
                checkpointSamples,
                changes,
                stepTimes);
    }
}
