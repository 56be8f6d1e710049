package dev.spur.benchmarks;

import dev.spur.model.objective.Objective;
import dev.spur.model.objective.ObjectiveKind;
import dev.spur.model.round.RoundSettings;
import dev.spur.model.round.SolveBudget;
import java.util.List;
import picocli.CommandLine.Option;

/** Options of benchmarks that plan generated rounds: their seeds, and the effort of each plan. */
final class SolveOptions {
    @Option(
            names = "--seeds",
            split = ",",
            paramLabel = "N",
            defaultValue = "1",
            description = "Seeds of the rounds (${DEFAULT-VALUE}).")
    private List<Long> seeds = List.of();

    @Option(
            names = "--gap",
            paramLabel = "PERCENT",
            defaultValue = "0.01",
            description = "Gap limit: optimality gap at which a method stops (${DEFAULT-VALUE}).")
    private double gap;

    @Option(
            names = "--workers",
            paramLabel = "N",
            defaultValue = "1",
            description = "Solver threads (${DEFAULT-VALUE}).")
    private int workers;

    @Option(
            names = "--objective",
            paramLabel = "KIND",
            defaultValue = "COMPLETION_TIME",
            description = "Objective of the plans (${DEFAULT-VALUE}).")
    private ObjectiveKind objective = ObjectiveKind.COMPLETION_TIME;

    List<Long> seeds() {
        return seeds;
    }

    /** Returns the settings of a round whose budget is {@code seconds} of time and as many units of work. */
    RoundSettings settings(double seconds, long seed) {
        return withBudget(RoundSettings.DEFAULT.withObjective(Objective.of(objective)), seconds, seed);
    }

    /** Returns {@code settings} with a budget of {@code seconds} of time and as many units of work. */
    RoundSettings withBudget(RoundSettings settings, double seconds, long seed) {
        return settings.withEffort(gap / 100, new SolveBudget(seconds, seconds, workers, (int) seed));
    }
}
