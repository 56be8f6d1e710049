package dev.spur.benchmarks;

import dev.spur.benchmarks.models.ModelTables;
import dev.spur.simulator.report.ResultTable;
import dev.spur.simulator.trace.parsing.DataFolder;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Benchmark of the prediction error of step times from a few measured steps. */
final class ModelsBenchmark implements Benchmark {
    @Option(
            names = "--part",
            defaultValue = "WITHIN",
            description =
                    "WITHIN one type (default), MODELS: within one type by model, ACROSS types, PLANNED: planned and random profiling runs, or NEIGHBORS: interpolation between measured neighbors.")
    private ModelTables part = ModelTables.WITHIN;

    @Option(
            names = "--draws",
            defaultValue = "5",
            description = "Random draws for each model and type (default: ${DEFAULT-VALUE}).")
    private int draws = 5;

    @Override
    public String name() {
        return "models";
    }

    @Override
    public String summary() {
        return "prediction error of step times from a few measured steps (needs SPUR_DATA)";
    }

    @Override
    public ResultTable measure() throws Exception {
        Path data = DataFolder.require();
        return part.measure(data.resolve("profiles"), draws);
    }
}
