package dev.spur.simulator.report;

import dev.spur.simulator.replay.JobOutcome;
import dev.spur.simulator.replay.Replay;
import dev.spur.simulator.replay.RoundSample;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * Summary of a replay. Job times are statistics over the ended jobs; 0 if no job ended.
 *
 * @param policy name of the policy
 * @param jobs number of ended jobs
 * @param unfinished number of jobs that did not end
 * @param rejected number of jobs that the empty cluster can never host
 * @param meanJctSeconds mean time from arrival to end
 * @param medianJctSeconds median time from arrival to end
 * @param p99JctSeconds 99th percentile of the time from arrival to end, interpolated linearly
 * @param meanQueueingSeconds mean time from arrival to first start, over the jobs that started
 * @param meanTrainingSeconds mean time from first start to end
 * @param endedByLastArrival number of jobs that ended no later than the last arrival
 * @param makespanSeconds time from the first arrival to the last end
 * @param gpuHours slot-hours held
 * @param utilization slots held divided by slots available, from the first arrival to the last end
 * @param trainingEfficiency slot-time that the completed work would have taken on each job's minimum slots, divided by
 *     the slot-time held; below 1 because of sublinear scaling and restarts
 * @param restartsPerJob mean number of starts after the first
 * @param worstFairness largest finish-time fairness
 * @param meanFairness mean finish-time fairness
 * @param meanDecisionSeconds mean wall-clock time of a decision
 * @param maxDecisionSeconds maximum wall-clock time of a decision
 * @param meanGap mean optimality gap of the decisions; null if the policy proves none
 * @param medianGap median optimality gap; null if the policy proves none
 * @param p99Gap 99th percentile of the optimality gap; null if the policy proves none
 * @param maxGap maximum optimality gap; null if the policy proves none
 */
public record Summary(
        String policy,
        int jobs,
        int unfinished,
        int rejected,
        double meanJctSeconds,
        double medianJctSeconds,
        double p99JctSeconds,
        double meanQueueingSeconds,
        double meanTrainingSeconds,
        int endedByLastArrival,
        double makespanSeconds,
        double gpuHours,
        double utilization,
        double trainingEfficiency,
        double restartsPerJob,
        double worstFairness,
        double meanFairness,
        double meanDecisionSeconds,
        double maxDecisionSeconds,
        @Nullable Double meanGap,
        @Nullable Double medianGap,
        @Nullable Double p99Gap,
        @Nullable Double maxGap) {
    private static final double HOUR = 3600;

    /** Returns the summary of {@code replay}. */
    public static Summary of(Replay replay) {
        List<JobOutcome> outcomes =
                replay.jobs().stream().filter(job -> job.end() != null).toList();
        Distribution jct = sample(outcomes, Summary::jct);
        Distribution queueing = sample(replay.jobs(), Summary::queueing);
        Distribution fairness = sample(outcomes, JobOutcome::fairness);
        Distribution decisions = new Distribution(replay.rounds().stream().mapToDouble(RoundSample::decisionSeconds));
        Distribution gaps = sample(replay.rounds(), RoundSample::gap);
        double makespan = makespan(outcomes);
        double slotSeconds =
                replay.jobs().stream().mapToDouble(JobOutcome::slotSeconds).sum();
        double useful = replay.jobs().stream()
                .mapToDouble(JobOutcome::usefulSlotSeconds)
                .sum();
        return new Summary(
                replay.policy(),
                outcomes.size(),
                replay.jobs().size() - outcomes.size(),
                replay.rejected().size(),
                jct.mean(),
                jct.quantile(0.5),
                jct.quantile(0.99),
                queueing.mean(),
                sample(outcomes, Summary::training).mean(),
                endedByLastArrival(replay),
                makespan,
                slotSeconds / HOUR,
                makespan == 0 ? 0 : slotSeconds / (makespan * replay.slots()),
                slotSeconds == 0 ? 0 : useful / slotSeconds,
                new Distribution(replay.jobs().stream().mapToDouble(JobOutcome::restarts)).mean(),
                fairness.max(),
                fairness.mean(),
                decisions.mean(),
                decisions.max(),
                ifAny(gaps, Distribution::mean),
                ifAny(gaps, distribution -> distribution.quantile(0.5)),
                ifAny(gaps, distribution -> distribution.quantile(0.99)),
                ifAny(gaps, Distribution::max));
    }

    private static @Nullable Double ifAny(Distribution distribution, Function<Distribution, Double> figure) {
        return distribution.size() == 0 ? null : figure.apply(distribution);
    }

    /** Returns the seconds from arrival to end; null if the job did not end. */
    static @Nullable Double jct(JobOutcome job) {
        Double end = job.end();
        return end == null ? null : Double.valueOf(end - job.arrival());
    }

    private static @Nullable Double queueing(JobOutcome job) {
        Double start = job.firstStart();
        return start == null ? null : Double.valueOf(start - job.arrival());
    }

    private static @Nullable Double training(JobOutcome job) {
        Double start = job.firstStart();
        Double end = job.end();
        return start == null || end == null ? null : Double.valueOf(end - start);
    }

    private static int endedByLastArrival(Replay replay) {
        double last =
                replay.jobs().stream().mapToDouble(JobOutcome::arrival).max().orElse(0);
        return (int) values(replay.jobs(), JobOutcome::end)
                .filter(end -> end <= last)
                .count();
    }

    private static double makespan(List<JobOutcome> outcomes) {
        double first = outcomes.stream().mapToDouble(JobOutcome::arrival).min().orElse(0);
        return values(outcomes, JobOutcome::end).max().orElse(first) - first;
    }

    /** Returns the distribution of {@code value} over the list, without nulls. */
    static <T> Distribution sample(List<T> list, Function<T, @Nullable Double> value) {
        return new Distribution(values(list, value));
    }

    private static <T> DoubleStream values(List<T> list, Function<T, @Nullable Double> value) {
        return list.stream().map(value).filter(Objects::nonNull).mapToDouble(Double::doubleValue);
    }
}
