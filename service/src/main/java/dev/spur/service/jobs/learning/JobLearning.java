package dev.spur.service.jobs.learning;

import dev.spur.model.allocation.Configuration;
import dev.spur.prediction.efficiency.NoiseScale;
import dev.spur.prediction.job.Origin;
import dev.spur.prediction.job.PredictedProfile;
import dev.spur.prediction.job.Prediction.RiskAttitude;
import dev.spur.prediction.online.Drift;
import dev.spur.prediction.online.LearnedSpeed;
import dev.spur.prediction.online.SpeedReport;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * Measured and predicted speed of a job, in addition to its stated profile.
 *
 * @param learned speed measurements from its reports
 * @param predicted predicted speeds in the configurations that rounds may choose
 * @param noise gradient noise scale, smoothed over the reports
 * @param drift last lasting change of the speed; null if there was none
 * @param expected expected step time that reports are compared with; null while none is certain
 * @param basis versions that the predictions are based on
 */
public record JobLearning(
        LearnedSpeed learned,
        PredictedProfile predicted,
        NoiseScale noise,
        @Nullable Drift drift,
        @Nullable ExpectedStepTime expected,
        Basis basis) {
    /** Maximum distance of the limit of a certain prediction from its median, as a difference of logarithms. */
    private static final double CERTAIN = 0.15;

    /** Returns the initial value for a job without measurements, whose speed must be predicted. */
    public static JobLearning nothing(PredictedProfile stated) {
        return new JobLearning(LearnedSpeed.NOTHING, stated, NoiseScale.UNKNOWN, null, null, Basis.OUTDATED);
    }

    /** Returns this value with other predictions. */
    public JobLearning withPredictions(PredictedProfile other, Basis madeFrom) {
        return new JobLearning(learned, other, noise, drift, expected, madeFrom);
    }

    /**
     * Returns the step time with which reports of an allocation are compared. It is that of the stated profile at the
     * first report of the allocation, so that a change is detected even if later predictions adapt to it. Without a
     * stated profile, or after reports have contradicted it, it is the mean of the first reports in this configuration,
     * and null before them: a deviation from a guess is no change.
     *
     * @param generation number of the allocation
     * @param held its configuration
     * @param batch global batch size of {@code report}
     */
    public @Nullable ExpectedStepTime expectedIn(long generation, Configuration held, SpeedReport report, int batch) {
        if (expected != null && expected.generation() == generation && expected.batch() == batch) {
            return expected;
        }
        double speed = held.throughput(predicted.profile(RiskAttitude.EVEN), batch);
        double low = held.throughput(predicted.profile(RiskAttitude.CAUTIOUS), batch);
        boolean certain = low > 0 && Math.log(speed / low) <= CERTAIN && isStated(held.acceleratorType());
        OptionalDouble seconds = certain ? OptionalDouble.of(batch / speed) : learned.baselineSeconds(report);
        return seconds.isPresent() ? new ExpectedStepTime(generation, batch, seconds.getAsDouble()) : null;
    }

    private boolean isStated(String type) {
        return predicted.predictions().stream()
                .anyMatch(prediction -> prediction.origin() == Origin.MEASURED
                        && prediction.point().acceleratorType().equals(type));
    }

    /**
     * Step time that was expected when an allocation began.
     *
     * @param generation number of the allocation
     * @param batch global batch size
     * @param seconds step time in seconds, above 0
     */
    public record ExpectedStepTime(long generation, int batch, double seconds) {}

    /**
     * Versions of the inputs of the predictions, in addition to the job itself.
     *
     * @param family version of the family of the job; 0 if it has none, or no job of the family was measured
     * @param cluster version of the cluster
     */
    public record Basis(long family, long cluster) {
        /** Basis of predictions that new measurements have made obsolete. No version of a cluster is 0. */
        public static final Basis OUTDATED = new Basis(0, 0);
    }
}
