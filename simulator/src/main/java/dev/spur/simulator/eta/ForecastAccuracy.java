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
 * What became of earlier estimates of completions, and which still wait to be held against what comes. The drift of the
 * next ones is learnt from it.
 *
 * @param asOf when it was last looked at, seconds on the clock of the problems
 * @param open by id of the job, oldest first: what was told, some time apart
 * @param byAhead what came of those of jobs that are done, by {@linkplain BiasCorrection#BOUNDS how far ahead} they
 *     were
 */
public record ForecastAccuracy(double asOf, Map<String, List<CompletionForecast>> open, List<Residuals> byAhead) {
    /** There are no earlier estimates. */
    public static final ForecastAccuracy NONE =
            new ForecastAccuracy(0, Map.of(), Collections.nCopies(BiasCorrection.CENTRES.size(), Residuals.NONE));

    /** What is thought before any estimate has come true, and the jobs that it counts for; measured by replay. */
    private static final Residuals PRIOR = new Residuals(20, Math.log(1.15), 0.45 * 0.45 + 0.2 * 0.2, 0.2 * 0.2);

    /** Jobs that estimates of any time ahead count for where those of one such time are few. */
    private static final double JOBS_OF_OTHERS = 5;

    /** Jobs that those of one time ahead count for at most where others are concerned. */
    private static final double JOBS_FOR_OTHERS = 10;

    private static final double LEAST_SPREAD = 0.05;

    /**
     * Where nobody looked for so long, or the clock went back, what was told before is not held against what came,
     * seconds.
     */
    private static final double GAP = 3 * 3600;

    /** Of one job, something told is kept once so many seconds have gone by, or this part of the time that was left. */
    private static final double APART = 600;

    private static final double PART_APART = 0.5;

    /**
     * Jobs of which is kept what was told: a drift rests on far fewer, and the whole record is written with each
     * estimate.
     */
    static final int MOST_OPEN = 1000;

    public ForecastAccuracy {
        open = Checks.copy(open);
        byAhead = Checks.copy(byAhead);
        Checks.require(byAhead.size() == BiasCorrection.CENTRES.size(), "there are %s residuals", byAhead.size());
    }

    /**
     * What was told of the end of a job.
     *
     * @param madeAt when, seconds on the clock of the problems
     * @param ahead seconds from then to the median of the samples, before any drift, at least 0
     * @param sampled variance of the logarithms of the samples, at least 0
     */
    public record CompletionForecast(double madeAt, double ahead, double sampled) {
        public CompletionForecast {
            Checks.atLeast("ahead", ahead, 0);
            Checks.atLeast("sampled", sampled, 0);
        }
    }

    /**
     * This after those of {@code ended} were done.
     *
     * @param ended by id of each job that is done, when it was, seconds on the clock of the problems
     * @param live ids of those of which estimates are made now; what was told of others that are not done is forgotten
     */
    public ForecastAccuracy after(double now, Map<String, Double> ended, Set<String> live) {
        boolean interrupted = now < asOf || now - asOf > GAP;
        if (interrupted) {
            return new ForecastAccuracy(now, Map.of(), byAhead);
        }
        List<Residuals> learnt = new ArrayList<>(byAhead);
        Map<String, List<CompletionForecast>> left = new HashMap<>();
        open.keySet().stream().sorted().forEach(id -> {
            Double end = ended.get(id);
            if (end != null) {
                judge(open.getOrDefault(id, List.of()), end, learnt);
            } else if (live.contains(id)) {
                left.put(id, open.getOrDefault(id, List.of()));
            }
        });
        return new ForecastAccuracy(now, left, learnt);
    }

    /** All that was told of a job counts as one for each time ahead. */
    private static void judge(List<CompletionForecast> told, double end, List<Residuals> learnt) {
        double[] count = new double[learnt.size()];
        told.forEach(one -> count[BiasCorrection.index(one.ahead)]++);
        for (CompletionForecast one : told) {
            int index = BiasCorrection.index(one.ahead);
            if (end >= one.madeAt) {
                learnt.set(
                        index,
                        learnt.get(index)
                                .with(
                                        1 / count[index],
                                        BiasCorrection.logarithm(one.ahead, end - one.madeAt),
                                        one.sampled,
                                        expected(learnt, index)));
            }
        }
    }

    /** This with what a forecast tells. */
    public ForecastAccuracy with(Forecast forecast) {
        Map<String, List<CompletionForecast>> all = new HashMap<>(open);
        for (JobEta job : forecast.jobs()) {
            if (job.replayed() != null && (all.size() < MOST_OPEN || all.containsKey(job.jobId()))) {
                CompletionForecast told = new CompletionForecast(
                        forecast.now(), job.replayed().ahead(), job.replayed().variance());
                all.merge(job.jobId(), List.of(told), ForecastAccuracy::appended);
            }
        }
        return new ForecastAccuracy(forecast.now(), all, byAhead);
    }

    private static List<CompletionForecast> appended(List<CompletionForecast> before, List<CompletionForecast> next) {
        CompletionForecast last = before.get(before.size() - 1);
        if (next.get(0).madeAt - last.madeAt < Math.max(APART, PART_APART * last.ahead)) {
            return before;
        }
        List<CompletionForecast> both = new ArrayList<>(before);
        both.addAll(next);
        return both;
    }

    /** What the next estimates are to be stretched by. */
    public BiasCorrection drift() {
        return new BiasCorrection(IntStream.range(0, byAhead.size())
                .mapToObj(index -> expected(byAhead, index).bend(LEAST_SPREAD))
                .toList());
    }

    /** The residuals of a time ahead, over a prior of those of any time ahead, over what was thought before. */
    private static Residuals expected(List<Residuals> byAhead, int index) {
        Residuals any = byAhead.stream()
                .map(one -> one.weighing(Math.min(one.jobs(), JOBS_FOR_OTHERS)))
                .reduce(PRIOR, Residuals::with);
        return any.weighing(JOBS_OF_OTHERS).with(byAhead.get(index));
    }
}
