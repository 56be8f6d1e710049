package dev.spur.benchmarks;

import dev.spur.benchmarks.recommend.ExamplePlot;
import dev.spur.benchmarks.recommend.HindsightEvaluation;
import dev.spur.benchmarks.recommend.HindsightEvaluation.Outcome;
import dev.spur.benchmarks.recommend.MeasuredJob;
import dev.spur.simulator.report.ResultTable;
import dev.spur.simulator.trace.parsing.DataFolder;
import dev.spur.solver.recommend.NodeCatalog;
import dev.spur.solver.recommend.NodeOffer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Benchmark of recommendations: how often the recommended configuration meets the deadline, and its cost relative to
 * the best configuration in hindsight.
 */
final class RecommendBenchmark implements Benchmark {
    private static final List<String> HEADER = List.of(
            "model",
            "points_per_type",
            "choices",
            "promised_percent",
            "kept_percent",
            "extra_cost_mean_percent",
            "extra_cost_median_percent",
            "extra_cost_p90_percent");
    /**
     * Minimum probability of meeting the deadline. Below it the median run misses the deadline, and its cost is not
     * compared.
     */
    private static final double HALF = 0.5;
    /** Prices per slot-hour of the same order as public cloud prices. */
    private static final NodeCatalog MARKET = NodeCatalog.of(List.of(
            offer("T4", 4, 0.5),
            offer("RTX2080Ti", 8, 0.6),
            offer("A100", 8, 3.5),
            offer("V100", 8, 2.5),
            offer("QuadroRTX6000", 4, 1.2)));

    private static NodeOffer offer(String type, int slots, double price) {
        return new NodeOffer(type.toLowerCase(Locale.ROOT), type, slots, 64 / slots, price, false, 0, 0, 0, 0);
    }

    @Option(
            names = "--confidence",
            paramLabel = "SHARE",
            defaultValue = "0.9",
            description = "Required probability that a run meets its deadline (${DEFAULT-VALUE}).")
    private double confidence;

    @Option(
            names = "--points",
            paramLabel = "N",
            split = ",",
            defaultValue = "0,8,5",
            description = "Known profile points per type; 0 for all (${DEFAULT-VALUE}).")
    private List<Integer> points = List.of();

    @Option(
            names = "--draws",
            paramLabel = "N",
            defaultValue = "5",
            description = "Random draws of the known points (${DEFAULT-VALUE}).")
    private int draws;

    @Option(
            names = "--svg",
            paramLabel = "FILE",
            description = "Write a plot of the options of the contract's example to FILE instead of measuring.")
    private @Nullable Path svg;

    @Override
    public String name() {
        return "recommend";
    }

    @Override
    public String summary() {
        return "recommendations for measured models and deadlines compared with the best option in hindsight (needs SPUR_DATA)";
    }

    @Override
    public ResultTable measure() throws IOException {
        return svg == null ? comparison() : draw(svg);
    }

    /** Draws the options of the contract's example into {@code file}. */
    private static ResultTable draw(Path file) throws IOException {
        ExamplePlot plot = ExamplePlot.ofTheContract();
        Files.writeString(file, plot.svg());
        return new ResultTable(
                List.of("nodes", "slots", "batch_size", "hours", "cost"),
                plot.options().stream()
                        .map(option -> List.of(
                                option.configuration().pool(),
                                Integer.toString(option.configuration().slots()),
                                Integer.toString(option.configuration().batchSize()),
                                text(option.seconds(0.5) / 3600),
                                text(option.cost(0.5))))
                        .toList());
    }

    private ResultTable comparison() throws IOException {
        Path data = DataFolder.require();
        Path folder = data.resolve("profiles").resolve("placement-timings");
        List<List<String>> rows = new ArrayList<>();
        for (int count : points) {
            List<Outcome> all = new ArrayList<>();
            for (String model : models(folder)) {
                MeasuredJob job = MeasuredJob.read(folder, model);
                List<Outcome> own = outcomes(job, count);
                rows.add(row(model, count, own));
                all.addAll(own);
            }
            rows.add(row("all", count, all));
        }
        return new ResultTable(HEADER, rows);
    }

    private static List<String> models(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(Files::isDirectory)
                    .map(file -> file.getFileName().toString())
                    .sorted()
                    .toList();
        }
    }

    private List<Outcome> outcomes(MeasuredJob job, int count) {
        HindsightEvaluation hindsight = new HindsightEvaluation(job, MARKET);
        List<Outcome> outcomes = new ArrayList<>();
        for (int draw = 0; draw < (count == 0 ? 1 : draws); draw++) {
            outcomes.addAll(hindsight.outcomes(job.specAfter(count, draw), confidence));
        }
        return outcomes;
    }

    private static List<String> row(String model, int count, List<Outcome> outcomes) {
        List<Outcome> guaranteed = outcomes.stream().filter(Outcome::guaranteed).toList();
        double retained = guaranteed.stream().mapToDouble(Outcome::retained).sum();
        double[] extra = guaranteed.stream()
                .filter(outcome -> outcome.retained() >= HALF)
                .mapToDouble(outcome -> 100 * outcome.extra())
                .sorted()
                .toArray();
        double mean = Arrays.stream(extra).average().orElse(Double.NaN);
        return List.of(
                model,
                count == 0 ? "all" : Integer.toString(count),
                Integer.toString(outcomes.size()),
                text(100.0 * guaranteed.size() / outcomes.size()),
                text(100.0 * retained / guaranteed.size()),
                text(mean),
                text(quantile(extra, 0.5)),
                text(quantile(extra, 0.9)));
    }

    private static double quantile(double[] sorted, double share) {
        return sorted.length == 0 ? Double.NaN : sorted[(int) Math.min(sorted.length - 1, share * sorted.length)];
    }

    private static String text(double number) {
        return Double.isNaN(number) ? "-" : String.format(Locale.ROOT, "%.1f", number);
    }
}
