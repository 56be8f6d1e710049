package dev.spur.benchmarks;

import dev.spur.benchmarks.profit.MarketPrices;
import dev.spur.benchmarks.profit.ProfitReplays;
import dev.spur.benchmarks.reality.SeedRanges;
import dev.spur.simulator.report.ResultTable;
import dev.spur.simulator.trace.parsing.DataFolder;
import java.util.List;
import picocli.CommandLine.Option;

/** Benchmark of the objective {@code PROFIT} on recorded traces. */
final class ProfitBenchmark implements Benchmark {
    @Option(
            names = "--traces",
            paramLabel = "NAME",
            split = ",",
            defaultValue = "philly,helios",
            description = "Folders of workloads in traces/sia of SPUR_DATA (${DEFAULT-VALUE}).")
    private List<String> traces = List.of();

    @Option(
            names = "--workloads",
            paramLabel = "N",
            split = ",",
            defaultValue = "3,4",
            description = "Numbers of the workloads, each of 8 hours, which follow each other (${DEFAULT-VALUE})."
                    + " Schedulers are tuned on 1 and 2 only.")
    private List<Integer> workloads = List.of();

    @Option(
            names = "--seeds",
            paramLabel = "RANGES",
            defaultValue = "101-103",
            converter = SeedRanges.Converter.class,
            description = "Seeds of the markups (${DEFAULT-VALUE}). A scheduler is tuned on the seeds 1 to 100 only.")
    private SeedRanges seeds = new SeedRanges(List.of());

    @Option(
            names = "--price",
            paramLabel = "MONEY",
            defaultValue = "0.35",
            description = "Price of a slot-hour of each node (${DEFAULT-VALUE}).")
    private double price;

    @Option(
            names = "--markup",
            arity = "2",
            paramLabel = "FACTOR",
            description = "Lowest and highest revenue of a job relative to the price of its request (1 3).")
    private List<Double> markup = List.of(1.0, 3.0);

    @Option(
            names = "--nodes",
            paramLabel = "N",
            split = ",",
            defaultValue = "16,32,48",
            description = "Nodes of 4 T4; a section of the table for each (${DEFAULT-VALUE}).")
    private List<Integer> nodes = List.of();

    @Option(names = "--to-the-end", description = "Count until all jobs have ended instead of until the last arrival.")
    private boolean toTheEnd;

    @Option(names = "--workers", paramLabel = "N", description = "Replays at a time (the number of cores).")
    private int workers = Runtime.getRuntime().availableProcessors();

    @Override
    public String name() {
        return "profit";
    }

    @Override
    public String summary() {
        return "revenue, cost and profit of policies on recorded traces of Philly and Helios (needs SPUR_DATA)";
    }

    @Override
    public ResultTable measure() throws Exception {
        ProfitReplays replays = new ProfitReplays(
                DataFolder.require(), price, new MarketPrices(price, markup.get(0), markup.get(1)), toTheEnd, workers);
        return replays.run(traces, workloads, nodes, seeds.seeds());
    }
}
