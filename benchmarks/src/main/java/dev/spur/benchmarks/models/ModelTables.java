package dev.spur.benchmarks.models;

import dev.spur.simulator.report.Table;
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
    public Table measure(Path profiles, int draws) throws IOException {
        List<MeasuredSteps> all = MeasuredSteps.read(profiles);
        return switch (this) {
            case WITHIN -> new Table(WithinType.columns(), WithinType.rows(all, draws));
            case MODELS -> new Table(WithinType.columnsByModel(), WithinType.rowsByModel(all, draws));
            case ACROSS -> new Table(AcrossTypes.columns(), AcrossTypes.rows(all, draws));
            case PLANNED -> new Table(PlannedRuns.columns(), PlannedRuns.rows(all, draws));
            case NEIGHBOURS -> new Table(BetweenNeighbours.columns(), BetweenNeighbours.rows(all));
        };
    }
}
