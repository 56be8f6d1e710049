package dev.spur.service.recommend;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.ProfilingTarget;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.prediction.efficiency.LossHistory;
import dev.spur.prediction.job.Origin;
import dev.spur.prediction.job.Prediction;
import dev.spur.prediction.online.Drift;
import dev.spur.service.eta.JobEta;
import dev.spur.service.performance.ChangeCost;
import dev.spur.service.performance.JobProfiling;
import dev.spur.solver.recommend.Option;
import java.time.Instant;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * Predicted speed of a job.
 *
 * @param used true if rounds plan with these speeds; false if they plan with the stated profile
 * @param reports number of reports of measured steps so far
 * @param noiseScale gradient noise scale, smoothed over the reports
 * @param loss training loss; null if none was reported
 * @param stalls stall of each change that it supports
 * @param profiling progress of its profiling runs; null if its owner does not allow profiling
 * @param drift the last detected lasting change
 * @param remainingSamples effective samples that remain
 * @param points speeds in the configurations that rounds may request
 * @param isolated remaining course of the job on an empty cluster, in its fastest configuration; null if it fits
 *     nowhere or has ended
 * @param planned remaining course of the job if it keeps its slots; null if it holds none
 * @param eta predicted start and completion among the other jobs
 */
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

    /**
     * Profiling of a job.
     *
     * @param slotSeconds budget
     * @param spentSlotSeconds spent part of the budget
     * @param profilingTarget the configuration to be profiled now; null if there is none
     * @param over ended runs, the oldest first
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
     * Training loss of a job.
     *
     * @param present median of the last reports; null if they are too few
     * @param target loss at which the job is done; null for none
     * @param expectedSamples effective samples after which the job is predicted to reach the target; null if there is
     *     no prediction
     */
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
     * %.
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

    /** Predicted time. It lies between {@code low} and {@code high} with a probability of 80 %. */
    record Moments(Instant low, Instant median, Instant high) {}

    /**
     * Predicted rest of a job.
     *
     * @param configuration configuration in which the job runs
     * @param seconds remaining time
     * @param completion predicted completion
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
            return now.plusMillis((long) (1000 * seconds));
        }
    }
}
