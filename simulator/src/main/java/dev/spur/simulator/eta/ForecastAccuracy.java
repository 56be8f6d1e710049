package dev.spur.simulator.eta;

import dev.spur.model.Checks;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Accuracy record of earlier completion ETAs, from which the bias correction of the next ETAs is learned.
 *
 * @param asOf time of the last update, seconds on the clock of the problems
 * @param open ETAs whose outcome is not known yet, by job id, oldest first
 * @param byAhead residuals of the ETAs of ended jobs, by {@linkplain BiasCorrection#BOUNDS horizon class}
 */
public record ForecastAccuracy(double asOf, Map<String, List<CompletionForecast>> open, List<Residuals> byAhead) {
    /** No earlier ETAs. */
    public static final ForecastAccuracy NONE =
            new ForecastAccuracy(0, Map.of(), Collections.nCopies(BiasCorrection.CENTERS.size(), Residuals.NONE));

    /** Prior residuals before any outcome is known, with a weight of 20 jobs; measured by replay. */
    private static final Residuals PRIOR = new Residuals(20, Math.log(1.15), 0.45 * 0.45 + 0.2 * 0.2, 0.2 * 0.2);

    /** Weight, in jobs, of the residuals of all horizon classes as the prior of one class. */
    private static final double JOBS_OF_OTHERS = 5;

    /** Maximum weight, in jobs, of the residuals of one horizon class in the prior of the others. */
    private static final double JOBS_FOR_OTHERS = 10;

    private static final double MIN_SPREAD = 0.05;

    /**
     * Maximum time between two updates, seconds. After a longer interruption, or if the clock went back, earlier ETAs
     * are discarded.
     */
    private static final double GAP = 3 * 3600;

    /**
     * Minimum distance of two recorded ETAs of one job: this number of seconds, or this fraction of the remaining time.
     */
    private static final double APART = 600;

    private static final double PART_APART = 0.5;

    /**
     * Maximum number of jobs with open ETAs. The bias correction rests on far fewer, and the whole record is written
     * with each forecast.
     */
    static final int MAX_OPEN = 1000;

    public ForecastAccuracy {
        open = Checks.copy(open);
        byAhead = Checks.copy(byAhead);
        Checks.require(
                byAhead.size() == BiasCorrection.CENTERS.size(),
                "byAhead has %s residuals, but there must be one per horizon class",
                byAhead.size());
    }

    /**
     * Prediction of a job's end.
     *
     * @param madeAt time of the prediction, seconds on the clock of the problems
     * @param ahead seconds from then to the median of the samples, before bias correction, at least 0
     * @param sampled variance of the logarithms of the samples, at least 0
     */
    public record CompletionForecast(double madeAt, double ahead, double sampled) {
        public CompletionForecast {
            Checks.atLeast("ahead", ahead, 0);
            Checks.atLeast("sampled", sampled, 0);
        }
    }

    /**
     * Returns the record after the jobs of {@code ended} have ended.
     *
     * @param ended end time by job id, seconds on the clock of the problems
     * @param live ids of the jobs that are forecast now; ETAs of other jobs without an end are discarded
     */
    public ForecastAccuracy after(double now, Map<String, Double> ended, Set<String> live) {
        boolean interrupted = now < asOf || now - asOf > GAP;
        if (interrupted) {
            return new ForecastAccuracy(now, Map.of(), byAhead);
        }
        List<Residuals> residuals = new ArrayList<>(byAhead);
        Map<String, List<CompletionForecast>> left = new HashMap<>();
        open.keySet().stream().sorted().forEach(id -> {
            Double end = ended.get(id);
            if (end != null) {
                addResiduals(open.getOrDefault(id, List.of()), end, residuals);
            } else if (live.contains(id)) {
                left.put(id, open.getOrDefault(id, List.of()));
            }
        });
        return new ForecastAccuracy(now, left, residuals);
    }

    /** Adds the residuals of a job. All its ETAs of one horizon class together count as one job. */
    private static void addResiduals(List<CompletionForecast> forecasts, double end, List<Residuals> residuals) {
        double[] count = new double[residuals.size()];
        forecasts.forEach(one -> count[BiasCorrection.index(one.ahead)]++);
        for (CompletionForecast one : forecasts) {
            int index = BiasCorrection.index(one.ahead);
            if (end >= one.madeAt) {
                residuals.set(
                        index,
                        residuals
                                .get(index)
                                .with(
                                        1 / count[index],
                                        BiasCorrection.logarithm(one.ahead, end - one.madeAt),
                                        one.sampled,
                                        posterior(residuals, index)));
            }
        }
    }

    /** Returns the record with the ETAs of a forecast. */
    public ForecastAccuracy with(Forecast forecast) {
        Map<String, List<CompletionForecast>> all = new HashMap<>(open);
        for (SimulatedEta eta : forecast.jobs()) {
            if (eta.replayed() != null && (all.size() < MAX_OPEN || all.containsKey(eta.jobId()))) {
                CompletionForecast completion = new CompletionForecast(
                        forecast.now(), eta.replayed().ahead(), eta.replayed().variance());
                all.merge(eta.jobId(), List.of(completion), ForecastAccuracy::append);
            }
        }
        return new ForecastAccuracy(forecast.now(), all, byAhead);
    }

    private static List<CompletionForecast> append(
            List<CompletionForecast> forecastsBefore, List<CompletionForecast> nextForecasts) {
        CompletionForecast last = forecastsBefore.get(forecastsBefore.size() - 1);
        if (nextForecasts.get(0).madeAt - last.madeAt < Math.max(APART, PART_APART * last.ahead)) {
            return forecastsBefore;
        }
        List<CompletionForecast> joined = new ArrayList<>(forecastsBefore);
        joined.addAll(nextForecasts);
        return joined;
    }

    /** Returns the bias correction of the next ETAs. */
    public BiasCorrection biasCorrection() {
        return new BiasCorrection(IntStream.range(0, byAhead.size())
                .mapToObj(index -> posterior(byAhead, index).correction(MIN_SPREAD))
                .toList());
    }

    /** Returns the residuals of a horizon class, with a prior from all classes, which itself has the fixed prior. */
    private static Residuals posterior(List<Residuals> residualsByAhead, int index) {
        Residuals any = residualsByAhead.stream()
                .map(one -> one.weighing(Math.min(one.jobs(), JOBS_FOR_OTHERS)))
                .reduce(PRIOR, Residuals::with);
        return any.weighing(JOBS_OF_OTHERS).with(residualsByAhead.get(index));
    }
}
