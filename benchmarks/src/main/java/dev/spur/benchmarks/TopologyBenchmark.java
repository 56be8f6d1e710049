package dev.spur.benchmarks;

import dev.spur.benchmarks.topology.GangRounds;
import dev.spur.benchmarks.topology.RackedCluster;
import dev.spur.simulator.report.ResultTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Benchmark of random gangs on 512 nodes in racks and blocks, next to Kueue's published greedy algorithm. */
final class TopologyBenchmark implements Benchmark {
    private static final int BLOCKS = 4;
    private static final double LIMIT = 1;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "40",
            description = "Number of rounds of each seed (${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--factor",
            paramLabel = "F",
            defaultValue = "0.9",
            description = "Speed of a gang across a boundary, from 0 to 1 (${DEFAULT-VALUE}).")
    private double factor;

    @Mixin
    private SolveOptions options = new SolveOptions();

    @Override
    public String name() {
        return "topology";
    }

    @Override
    public String summary() {
        return "gangs of 8 to 512 slots on 512 nodes in racks and blocks, next to Kueue's greedy algorithm";
    }

    @Override
    public ResultTable measure() {
        RackedCluster cluster = new RackedCluster(BLOCKS);
        GangRounds.ofSpur(
                cluster, 0, Math.min(rounds, 10), new GangRounds.Method(true, factor, options.settings(LIMIT, 0)));
        List<List<String>> rows = new ArrayList<>();
        for (long seed : options.seeds()) {
            rows.add(row(seed, "greedy", GangRounds.ofGreedy(cluster, seed, rounds)));
            for (boolean movesGangs : new boolean[] {false, true}) {
                rows.add(row(
                        seed,
                        movesGangs ? "spur" : "spur without moves",
                        GangRounds.ofSpur(
                                cluster,
                                seed,
                                rounds,
                                new GangRounds.Method(movesGangs, factor, options.settings(LIMIT, seed)))));
            }
        }
        return new ResultTable(
                List.of("seed", "method", "within", "crossings", "used", "moves", "median_s", "max_s", "gang512_max_s"),
                rows);
    }

    private static List<String> row(long seed, String method, GangRounds.Result result) {
        List<Double> seconds = result.seconds().stream().sorted().toList();
        return List.of(
                Long.toString(seed),
                method,
                String.format(Locale.ROOT, "%.1f %%", 100 * result.within()),
                String.format(Locale.ROOT, "%.3f", result.crossings()),
                String.format(Locale.ROOT, "%.1f %%", 100 * result.used()),
                Integer.toString(result.moves()),
                String.format(Locale.ROOT, "%.3f", seconds.get(seconds.size() / 2)),
                String.format(Locale.ROOT, "%.3f", seconds.get(seconds.size() - 1)),
                String.format(Locale.ROOT, "%.3f", result.largestSeconds()));
    }
}
