package dev.spur.service.recommend;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.ProfilingTarget;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.prediction.efficiency.LossHistory;
import dev.spur.prediction.job.Origin;
import dev.spur.prediction.job.Prediction;
import dev.spur.prediction.online.Drift;
import dev.spur.service.eta.JobEta;
import dev.spur.service.store.JobProfiling;
import dev.spur.solver.recommend.Option;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * How fast a job is expected to run.
 *
 * @param jobId the job
 * @param family its family
 * @param used true if rounds plan with these speeds; false if they plan with the profile as stated
 * @param reports reports of measured steps so far
 * @param noiseScale gradient noise scale, smoothed over what was reported
 * @param loss what was reported of its loss; null before
 * @param profiling how far its measuring in runs of its own is; null if its owner does not allow it
 * @param drift the last lasting change that was noticed
 * @param remainingSamples effective samples to do
 * @param points speeds in the shapes that rounds may ask for
 * @param isolated the rest of the job on an empty cluster, as fast as can be; null if it fits nowhere or has ended
 * @param planned the rest of the job if it keeps what it holds; null if it holds nothing
 * @param eta when it is expected to start and to be done among the other jobs
 */
record PredictionView(
        String jobId,
        @Nullable String family,
        boolean used,
        long reports,
        @Nullable Double noiseScale,
        @Nullable Loss loss,
        @Nullable Measuring profiling,
        @Nullable Drift drift,
        double remainingSamples,
        List<Point> points,
        @Nullable Course isolated,
        @Nullable Course planned,
        @Nullable JobEta eta) {

    /**
     * The measuring of a job.
     *
     * @param slotSeconds what it may cost
     * @param spentSlotSeconds what it has cost
     * @param profilingTarget the shape in which it is to be measured now; null if there is none
     * @param over runs that are over, the oldest first
     */
    record Measuring(
            double slotSeconds,
            double spentSlotSeconds,
            @Nullable ProfilingTarget profilingTarget,
            List<JobProfiling.FinishedRun> over) {
        static Measuring of(JobProfiling measuring) {
            return new Measuring(measuring.budget(), measuring.spent(), measuring.profilingTarget(), measuring.over());
        }
    }

    /**
     * The training loss of a job.
     *
     * @param present median of the last ones; null if they are too few
     * @param target at which the job is done; null for none
     * @param expectedSamples effective samples after which it is expected to be that; null if nothing can be said
     */
    record Loss(
            @Nullable Double present,
            @Nullable Double target,
            @Nullable Double expectedSamples) {
        /** Null if none was reported. */
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
     * A predicted point of a profile; the throughput lies between {@code low} and {@code high} with a chance of 80 %.
     */
    record Point(
            String acceleratorType,
            int slots,
            int nodes,
            int batchSize,
            SyncStrategy strategy,
            double aggregationSlots,
            double samplesPerSecond,
            double low,
            double high,
            Origin origin,
            @Nullable String formula) {

        static Point of(Prediction prediction) {
            var point = prediction.point();
            return new Point(
                    point.acceleratorType(),
                    point.slots(),
                    point.nodes(),
                    point.batchSize(),
                    point.strategy(),
                    point.aggregationSlots(),
                    point.samplesPerSecond(),
                    prediction.low(),
                    prediction.high(),
                    prediction.origin(),
                    prediction.formula());
        }
    }

    /** When something is done; with a chance of 80 % between {@code low} and {@code high}. */
    record Moments(Instant low, Instant median, Instant high) {}

    /**
     * The rest of a job.
     *
     * @param configuration in which it runs
     * @param seconds time until it is done
     * @param completion when that is
     */
    record Course(Configuration configuration, Range seconds, Moments completion) {
        static Course of(Option option, Instant now) {
            Range seconds = Range.of(option::seconds);
            return new Course(
                    option.configuration(),
                    seconds,
                    new Moments(after(now, seconds.low()), after(now, seconds.median()), after(now, seconds.high())));
        }

        private static Instant after(Instant now, double seconds) {
            return now.plusMillis((long) (1000 * seconds)).truncatedTo(ChronoUnit.MILLIS);
        }
    }
}
