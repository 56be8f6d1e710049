package dev.spur.benchmarks.scaling;

import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.SolveStatus;
import dev.spur.model.round.StepTime;
import dev.spur.simulator.report.Distribution;
import dev.spur.solver.policy.Policy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Comparison of methods on rounds of one kind: equal size, constraints and time limit, one round for each seed. A gap
 * is the distance to the lowest upper bound that any of the methods proved in the run of the same number.
 */
public final class Comparison {
    private final String program;
    private final Size size;
    private final double limit;
    private final int repeat;
    private final Map<String, List<SeedResult>> resultsByMethod = new LinkedHashMap<>();

    /** Medians of the runs of one method on the round of one seed. */
    private record SeedResult(
            double candidates,
            double seconds,
            double gap,
            double improvement,
            long peakMib,
            Set<SolveStatus> statuses,
            Map<String, Double> stepMillis) {}

    /**
     * Creates an empty comparison.
     *
     * @param program description of the constraints
     * @param size jobs and slots of the rounds
     * @param limit time limit of each plan, s
     * @param repeat number of runs of each method on each round, at least 1
     */
    public Comparison(String program, Size size, double limit, int repeat) {
        this.program = program;
        this.size = size;
        this.limit = limit;
        this.repeat = repeat;
    }

    /**
     * Plans {@code round}, that of one seed, with every method.
     *
     * @return the last plan of {@code core}; null if it is not among the methods
     * @throws IllegalStateException if the plan validator rejects a plan
     */
    @Nullable
    public RoundPlan add(Case round, Map<String, Policy> methods) {
        Map<String, List<Measurement>> runs = new LinkedHashMap<>();
        RoundPlan ofCore = null;
        for (Map.Entry<String, Policy> method : methods.entrySet()) {
            List<Measurement> own = new ArrayList<>();
            for (int run = 0; run < repeat; run++) {
                PeakMemory.reset();
                MeasurementRunner.Run made = MeasurementRunner.run(method.getValue(), round.problem());
                own.add(made.measurement());
                if (method.getKey().equals("core") && run == repeat - 1) {
                    ofCore = made.plan();
                }
            }
            runs.put(method.getKey(), own);
        }
        double[] bounds = IntStream.range(0, repeat)
                .mapToDouble(run -> bound(runs.values(), run))
                .toArray();
        runs.forEach((name, own) -> resultsByMethod
                .computeIfAbsent(name, method -> new ArrayList<>())
                .add(result(own, bounds)));
        return ofCore;
    }

    private static double bound(Collection<List<Measurement>> runs, int run) {
        return runs.stream()
                .mapToDouble(own -> own.get(run).quality().bestBound())
                .min()
                .orElseThrow();
    }

    private static SeedResult result(List<Measurement> runs, double[] bounds) {
        return new SeedResult(
                median(runs, run -> (double) run.candidates()),
                median(runs, Measurement::seconds),
                medianTo(bounds, runs, Measurement::gapTo),
                medianTo(bounds, runs, Measurement::improvementTo),
                runs.stream().mapToLong(Measurement::peakMib).max().orElseThrow(),
                EnumSet.copyOf(runs.stream().map(run -> run.quality().status()).toList()),
                medians(runs.stream().map(Comparison::millis).toList()));
    }

    private static Map<String, Double> millis(Measurement run) {
        return run.steps().stream()
                .collect(Collectors.toMap(StepTime::step, StepTime::milliseconds, Double::sum, LinkedHashMap::new));
    }

    /** Returns the median of each key; a map without the key counts as 0. */
    private static Map<String, Double> medians(List<Map<String, Double>> maps) {
        Set<String> keys = new LinkedHashSet<>();
        maps.forEach(map -> keys.addAll(map.keySet()));
        Map<String, Double> medians = new LinkedHashMap<>();
        keys.forEach(key -> medians.put(key, median(maps, map -> map.getOrDefault(key, 0.0))));
        return medians;
    }

    private static double medianTo(
            double[] bounds, List<Measurement> runs, BiFunction<Measurement, Double, Double> figure) {
        return new Distribution(
                        IntStream.range(0, bounds.length).mapToDouble(run -> figure.apply(runs.get(run), bounds[run])))
                .quantile(0.5);
    }

    private static <T> double median(List<T> sample, Function<T, Double> figure) {
        return distribution(sample, figure).quantile(0.5);
    }

    private static <T> Distribution distribution(List<T> sample, Function<T, Double> figure) {
        return new Distribution(sample.stream().mapToDouble(figure::apply));
    }

    /** Returns the size of the rounds. */
    public Size size() {
        return size;
    }

    /** Returns the median time of each method over the seeds, in seconds. */
    public Map<String, Double> seconds() {
        Map<String, Double> seconds = new LinkedHashMap<>();
        resultsByMethod.forEach((name, results) -> seconds.put(name, median(results, SeedResult::seconds)));
        return seconds;
    }

    /**
     * Returns one row of figures for each method. They are medians over the seeds; several seeds add the longest time
     * and the range of the gap. Times of steps are in columns named {@code STEP_ms}.
     */
    public List<Map<String, String>> rows() {
        return resultsByMethod.entrySet().stream()
                .map(method -> row(method.getKey(), method.getValue()))
                .toList();
    }

    private Map<String, String> row(String method, List<SeedResult> results) {
        Map<String, String> row = new LinkedHashMap<>();
        Distribution seconds = distribution(results, SeedResult::seconds);
        Distribution gap = distribution(results, result -> 100 * result.gap());
        row.put("jobs", format("%d", size.jobs()));
        row.put("slots", format("%d", size.slots()));
        row.put("program", program);
        row.put("candidates", format("%.0f", median(results, SeedResult::candidates)));
        row.put("limit_s", SizeBudgets.text(limit));
        row.put("method", method);
        row.put("seeds", format("%d", results.size()));
        row.put("runs", format("%d", repeat));
        row.put("seconds", format("%.3f", seconds.quantile(0.5)));
        row.put("ratio", format("%.2f", seconds.quantile(0.5) / limit));
        row.put("gap_percent", format("%.4f", gap.quantile(0.5)));
        if (results.size() > 1) {
            row.put("seconds_max", format("%.3f", seconds.max()));
            row.put("gap_min", format("%.4f", gap.quantile(0)));
            row.put("gap_max", format("%.4f", gap.max()));
        }
        row.put("improvement_percent", format("%.2f", 100 * median(results, SeedResult::improvement)));
        row.put(
                "peak_mib",
                format(
                        "%d",
                        results.stream().mapToLong(SeedResult::peakMib).max().orElseThrow()));
        Set<SolveStatus> statuses = EnumSet.noneOf(SolveStatus.class);
        results.forEach(result -> statuses.addAll(result.statuses()));
        row.put("status", statuses.stream().map(Enum::name).collect(Collectors.joining("+")));
        medians(results.stream().map(SeedResult::stepMillis).toList())
                .forEach((step, millis) -> row.put(step + "_ms", format("%.0f", millis)));
        return row;
    }

    private static String format(String pattern, Object value) {
        return String.format(Locale.ROOT, pattern, value);
    }
}
