package dev.spur.benchmarks.noise;

import dev.spur.benchmarks.noise.NoisyRun.RunResult;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Rows of the benchmark: one for each scenario and rule. */
public final class NoiseTable {
    private NoiseTable() {}

    /** Returns the rows of {@code scenarios} with the seeds from 1 to {@code runs}. */
    public static List<Map<String, String>> rows(List<HostScenario> scenarios, int runs) {
        return scenarios.stream()
                .flatMap(scenario -> Stream.of(
                        row(scenario, "3c6a22d9", PreviousRule::new, runs),
                        row(scenario, "present", PresentRule::new, runs)))
                .toList();
    }

    private static Map<String, String> row(HostScenario scenario, String name, Supplier<LearningRule> rule, int runs) {
        List<RunResult> results = LongStream.rangeClosed(1, runs)
                .parallel()
                .mapToObj(seed -> new NoisyRun(scenario, rule.get(), seed).run())
                .toList();
        double[] delays = results.stream()
                .map(RunResult::delaySeconds)
                .filter(Objects::nonNull)
                .mapToDouble(seconds -> seconds / 60)
                .sorted()
                .toArray();
        Map<String, String> row = new LinkedHashMap<>();
        row.put("scenario", scenario.name());
        row.put("rule", name);
        row.put("false events/run", mean(results, RunResult::falseEvents));
        row.put("missed changes", scenario.changes() ? "%d of %d".formatted(runs - delays.length, runs) : "");
        row.put("median delay (min)", delays.length == 0 ? "" : number(delays[delays.length / 2]));
        row.put("max delay (min)", delays.length == 0 ? "" : number(delays[delays.length - 1]));
        row.put("regret (%)", mean(results, result -> 100 * result.regret()));
        row.put("restarts/run", mean(results, RunResult::restarts));
        return row;
    }

    private static String mean(List<RunResult> results, ToDoubleFunction<RunResult> of) {
        return number(results.stream().mapToDouble(of).average().orElse(0));
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
