package dev.spur.benchmarks;

import dev.spur.benchmarks.models.ModelTables;
import dev.spur.simulator.report.ResultTable;
import dev.spur.simulator.trace.parsing.DataFolder;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** How well step times are predicted from a few of them. */
final class ModelsBenchmark implements Benchmark {
    @Option(
            names = "--part",
            defaultValue = "WITHIN",
            description =
                    "WITHIN one type (default), the same for each of the MODELS, ACROSS types, PLANNED runs beside random ones, or the line between measured NEIGHBOURS.")
    private ModelTables part = ModelTables.WITHIN;

    @Option(
            names = "--draws",
            defaultValue = "5",
            description = "How often steps are drawn for each model and type (default: ${DEFAULT-VALUE}).")
    private int draws = 5;

    @Override
    public String name() {
        return "models";
    }

    @Override
    public String summary() {
        return "step times predicted from a few measured ones (needs SPUR_DATA)";
    }

    @Override
    public ResultTable measure() throws Exception {
        Path data = DataFolder.required();
        return part.measure(data.resolve("profiles"), draws);
    }
}
