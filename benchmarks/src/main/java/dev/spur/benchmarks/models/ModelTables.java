package dev.spur.benchmarks.models;

import dev.spur.simulator.report.ResultTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** What can be measured of predictions, each as a table. */
public enum ModelTables {
    /** Other shapes on the same type. */
    WITHIN,
    /** The same, for each model. */
    MODELS,
    /** Another type. */
    ACROSS,
    /** Runs that are planned, beside random ones. */
    PLANNED,
    /** The line between measured neighbours. */
    NEIGHBOURS;

    /**
     * Measures.
     *
     * @param profiles folder of measured profiles
     * @param draws how often steps are drawn anew for each model and type
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
            case NEIGHBOURS -> new ResultTable(InterpolationError.columns(), InterpolationError.rows(all));
        };
    }
}
