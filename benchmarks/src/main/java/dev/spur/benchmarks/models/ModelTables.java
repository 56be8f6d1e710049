package dev.spur.benchmarks.models;

import dev.spur.simulator.report.ResultTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Tables of the prediction benchmark. */
public enum ModelTables {
    /** Other shapes on the same type. */
    WITHIN,
    /** Other shapes on the same type, for each model. */
    MODELS,
    /** Another type. */
    ACROSS,
    /** Planned profiling runs compared with random ones. */
    PLANNED,
    /** Linear interpolation between measured neighbors. */
    NEIGHBORS;

    /**
     * Measures the table.
     *
     * @param profiles folder of measured profiles
     * @param draws number of random draws per model and type
     */
    public ResultTable measure(Path profiles, int draws) throws IOException {
        List<StepMeasurements> all = StepMeasurements.read(profiles);
        return switch (this) {
            case WITHIN -> new ResultTable(WithinTypePrediction.columns(), WithinTypePrediction.rows(all, draws));
            case MODELS ->
                new ResultTable(WithinTypePrediction.columnsByModel(), WithinTypePrediction.rowsByModel(all, draws));
            case ACROSS -> new ResultTable(CrossTypePrediction.columns(), CrossTypePrediction.rows(all, draws));
            case PLANNED ->
                new ResultTable(ProfilingPlanComparison.columns(), ProfilingPlanComparison.rows(all, draws));
            case NEIGHBORS -> new ResultTable(InterpolationError.columns(), InterpolationError.rows(all));
        };
    }
}
