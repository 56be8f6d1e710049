package dev.spur.benchmarks;

import dev.spur.benchmarks.noise.HostScenario;
import dev.spur.benchmarks.noise.NoiseTable;
import dev.spur.simulator.report.ResultTable;
import picocli.CommandLine.Option;

/** Benchmark of learning from noisy reports: false and missed changes, regret and restarts. */
final class NoiseBenchmark implements Benchmark {
    @Option(
            names = "--runs",
            paramLabel = "N",
            defaultValue = "10",
            description = "Runs of two hours of each scenario, with the seeds 1 to N (${DEFAULT-VALUE}).")
    private int runs;

    @Override
    public String name() {
        return "noise";
    }

    @Override
    public String summary() {
        return "detected changes and plans of a job with noisy reports, against known speeds";
    }

    @Override
    public ResultTable measure() {
        return ResultTable.of(NoiseTable.rows(HostScenario.ALL, Math.max(1, runs)));
    }
}
