package dev.spur.simulator.eta;

import dev.spur.model.job.Job;
import dev.spur.model.job.JobSpec;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.utility.Goodput;
import dev.spur.simulator.cluster.ClusterFile;
import dev.spur.simulator.eta.ForecastHistory.Arrival;
import dev.spur.simulator.eta.RecordingPolicy.Moment;
import dev.spur.simulator.eta.RecordingPolicy.View;
import dev.spur.simulator.replay.AllocationInterval;
import dev.spur.simulator.replay.JobOutcome;
import dev.spur.simulator.replay.ProgressListener;
import dev.spur.simulator.replay.Replay;
import dev.spur.simulator.replay.ReplaySettings;
import dev.spur.simulator.replay.Replayer;
import dev.spur.simulator.trace.Trace;
import dev.spur.solver.policy.Policy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Backtest of forecasts. It replays a trace, makes forecasts at intervals from the information available at that time,
 * and compares each with the outcome. Only the replay uses the true values of the trace.
 */
public final class Calibration {
    private final Replay replay;
    private final Map<String, List<View>> views;
    private final Map<String, String> tenants = new HashMap<>();
    private final Map<String, JobOutcome> outcomes = new HashMap<>();
    private final Map<String, List<AllocationInterval>> allocationIntervals = new HashMap<>();
    private final Map<String, Double> stretches = new HashMap<>();
    private final double pastSeconds;

    private Calibration(Replay replay, Trace trace, Map<String, List<View>> views, double pastSeconds) {
        this.replay = replay;
        this.views = views;
        this.pastSeconds = pastSeconds;
        trace.jobs().forEach(job -> tenants.put(job.id(), job.tenant()));
        replay.jobs().forEach(job -> outcomes.put(job.id(), job));
        replay.allocationIntervals()
                .forEach(interval -> allocationIntervals
                        .computeIfAbsent(interval.jobId(), id -> new ArrayList<>())
                        .add(interval));
        allocationIntervals.forEach((id, had) -> stretches.put(id, stretch(views.getOrDefault(id, List.of()), had)));
    }

    /**
     * Returns the stretch of the work that remained in the middle of the job's run, relative to the specification at
     * that time; 0 if there was none.
     */
    private static double stretch(List<View> views, List<AllocationInterval> allocationIntervals) {
        double half = allocationIntervals.stream()
                        .mapToDouble(interval -> interval.end() - interval.start())
                        .sum()
                / 2;
        double middle = Double.POSITIVE_INFINITY;
        for (AllocationInterval interval : allocationIntervals) {
            if (half <= interval.end() - interval.start()) {
                middle = interval.start() + half;
                break;
            }
            half -= interval.end() - interval.start();
        }
        View stated = null;
        for (View view : views) {
            stated = stated == null || view.time() <= middle ? view : stated;
        }
        return stated == null || stated.left() <= 0 ? 0 : samples(stated, allocationIntervals) / stated.left();
    }

    /**
     * Returns the effective samples that the job would have done from the time of {@code stated} on at the specified
     * speed.
     */
    private static double samples(View stated, List<AllocationInterval> allocationIntervals) {
        double samples = 0;
        for (AllocationInterval interval : allocationIntervals) {
            double ready = interval.start() + stated.spec().restartPenaltySeconds();
            double seconds = Math.max(0, interval.end() - Math.max(ready, stated.time()));
            samples += seconds * Goodput.of(stated.spec(), interval.allocation().configuration());
        }
        return samples;
    }

    /**
     * Replays {@code trace} and backtests forecasts.
     *
     * @param everySeconds time between two forecasts
     * @param pastSeconds length of the window of past arrivals
     * @param nanos monotonic clock, nanoseconds
     * @return one sample per prediction: the end of each active job, and the start of each waiting job
     */
    public static List<BacktestSample> of(
            Trace trace,
            ClusterFile cluster,
            Policy policy,
            ReplaySettings replays,
            ForecastSettings settings,
            double everySeconds,
            double pastSeconds,
            LongSupplier nanos) {
        RecordingPolicy moments = new RecordingPolicy(policy, everySeconds);
        Replay replay = Replayer.replay(trace, cluster, moments, replays, ProgressListener.NONE);
        Calibration known = new Calibration(replay, trace, moments.views(), pastSeconds);
        Forecaster forecaster = new Forecaster(policy, settings, nanos);
        List<BacktestSample> samples = new ArrayList<>();
        ForecastAccuracy record = ForecastAccuracy.NONE;
        for (Moment moment : moments.moments()) {
            double now = moment.problem().now();
            record = record.after(now, known.endTimes(now), ids(moment.problem()));
            ForecastHistory history = known.past(now, record.biasCorrection());
            Forecast forecast = forecaster.forecast(moment.problem(), moment.decision(), history, () -> true);
            if (forecast != null) {
                record = record.with(forecast);
                forecast.jobs().forEach(eta -> known.compare(forecast, eta, samples));
            }
        }
        return samples;
    }

    private static Set<String> ids(RoundProblem problem) {
        return problem.jobs().stream().map(Job::id).collect(Collectors.toSet());
    }

    /** Returns the end times of the jobs that had ended by {@code now}, by job id. */
    private Map<String, Double> endTimes(double now) {
        Map<String, Double> ended = new HashMap<>();
        for (JobOutcome job : replay.jobs()) {
            if (job.end() != null && job.end() <= now) {
                ended.put(job.id(), job.end());
            }
        }
        return ended;
    }

    /** Returns the information available at {@code now}. */
    private ForecastHistory past(double now, BiasCorrection biasCorrection) {
        List<Double> ended = new ArrayList<>();
        List<Arrival> recentArrivals = new ArrayList<>();
        double since = Math.max(0, now - pastSeconds);
        Integer[] counts = new Integer[(int) Math.ceil((now - since) / 3600)];
        Arrays.fill(counts, 0);
        for (JobOutcome job : replay.jobs()) {
            double stretch = stretches.getOrDefault(job.id(), 0.0);
            if (job.end() != null && job.end() <= now && stretch > 0) {
                ended.add(stretch);
            }
            if (job.arrival() >= since && job.arrival() <= now && views.containsKey(job.id())) {
                JobSpec requested = views.get(job.id()).get(0).spec();
                counts[Math.min(counts.length - 1, (int) ((now - job.arrival()) / 3600))]++;
                recentArrivals.add(new Arrival(tenants.getOrDefault(job.id(), "root"), requested));
            }
        }
        return new ForecastHistory(ended, now - since, List.of(counts), recentArrivals, biasCorrection);
    }

    private void compare(Forecast forecast, SimulatedEta eta, List<BacktestSample> samples) {
        JobOutcome outcome = outcomes.get(eta.jobId());
        if (eta.start() != null) {
            Double came = firstAfter(eta.jobId(), forecast.now());
            samples.add(
                    new BacktestSample(true, forecast.now(), forecast.until(), forecast.coverage(), eta.start(), came));
        }
        Double ended = outcome == null ? null : outcome.end();
        if (eta.end() != null) {
            samples.add(
                    new BacktestSample(false, forecast.now(), forecast.until(), forecast.coverage(), eta.end(), ended));
        }
    }

    private @Nullable Double firstAfter(String jobId, double now) {
        return allocationIntervals.getOrDefault(jobId, List.of()).stream()
                .map(AllocationInterval::start)
                .filter(start -> start > now)
                .min(Double::compare)
                .orElse(null);
    }
}
