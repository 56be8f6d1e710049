package dev.spur.service.questions;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.ProfilingTarget;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.prediction.efficiency.LossHistory;
import dev.spur.prediction.job.Origin;
import dev.spur.prediction.job.Prediction;
import dev.spur.prediction.online.Drift;
import dev.spur.service.jobs.learning.ChangeCost;
import dev.spur.service.jobs.learning.JobProfiling;
import dev.spur.service.questions.RecommendationView.Range;
import dev.spur.solver.recommend.Option;
import java.time.Instant;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** Predicted speed of a job. Members as in the contract. */
record PredictionView(
        String jobId,
        @Nullable String family,
        boolean used,
        long reports,
        @Nullable Double noiseScale,
        @Nullable Loss loss,
        List<ChangeCost> stalls,
        @Nullable Measuring profiling,
        @Nullable Drift drift,
        double remainingSamples,
        List<Point> points,
        @Nullable Course isolated,
        @Nullable Course planned,
        @Nullable JobEta eta) {

    /** Profiling of a job. Members as in the contract. */
    record Measuring(
            double slotSeconds,
            double spentSlotSeconds,
            @Nullable ProfilingTarget profilingTarget,
            List<JobProfiling.FinishedRun> over) {
        static Measuring of(JobProfiling measuring) {
            return new Measuring(measuring.budget(), measuring.spent(), measuring.profilingTarget(), measuring.over());
        }
    }

    /** Training loss of a job. Members as in the contract. */
    record Loss(
            @Nullable Double present,
            @Nullable Double target,
            @Nullable Double expectedSamples) {
        /** Returns null if no loss was reported. */
        static @Nullable Loss of(LossHistory losses, @Nullable Double target) {
            if (losses.points().isEmpty()) {
                return null;
            }
            OptionalDouble present = losses.present();
            OptionalDouble work = target == null ? OptionalDouble.empty() : losses.workTo(target);
            return new Loss(
                    present.isPresent() ? present.getAsDouble() : null,
                    target,
                    work.isPresent() ? work.getAsDouble() : null);
        }
    }

    /**
     * Predicted point of a profile. The throughput lies between {@code low} and {@code high} with a probability of 80
     * %; both are null for an assumed throughput.
     */
    record Point(
            @JsonUnwrapped ProfilePoint point,
            @Nullable Double low,
            @Nullable Double high,
            Origin origin,
            @Nullable String formula) {
        static Point of(Prediction prediction) {
            boolean assumed = prediction.origin() == Origin.ASSUMED;
            return new Point(
                    prediction.point(),
                    assumed ? null : prediction.low(),
                    assumed ? null : prediction.high(),
                    prediction.origin(),
                    prediction.formula());
        }
    }

    /** Predicted time. It lies between {@code low} and {@code high} with a probability of 80 %. */
    record Moments(Instant low, Instant median, Instant high) {}

    /** Predicted rest of a job. Members as in the contract. */
    record Course(Configuration configuration, Range seconds, Moments completion) {
        static Course of(Option option, Instant now) {
            Range seconds = Range.of(option::seconds);
            return new Course(
                    option.configuration(),
                    seconds,
                    new Moments(after(now, seconds.low()), after(now, seconds.median()), after(now, seconds.high())));
        }

        private static Instant after(Instant now, double seconds) {
            return now.plusMillis((long) (1000 * seconds));
        }
    }
}
