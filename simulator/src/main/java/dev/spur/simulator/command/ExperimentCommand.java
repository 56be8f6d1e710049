package dev.spur.simulator.command;

import dev.spur.model.objective.Objective;
import dev.spur.model.objective.ObjectiveKind;
import dev.spur.model.round.RoundSettings;
import dev.spur.simulator.experiment.Cell;
import dev.spur.simulator.experiment.Experiment;
import dev.spur.simulator.experiment.Experiments;
import dev.spur.simulator.experiment.Grid;
import dev.spur.simulator.experiment.GridFiles;
import dev.spur.simulator.experiment.GridResult;
import dev.spur.simulator.experiment.GridSettings;
import dev.spur.simulator.report.FinishedReplays;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code spur experiment}: lists the experiments, or runs one. The exit code is 2 if results cannot be read or written.
 */
@Command(
        name = "experiment",
        description = {
            "List the experiments, or run one: a grid of loads and seeds, each policy on the same synthetic traces.",
            "With --out, finished replays are kept there, and the same command goes on where it was stopped."
        },
        mixinStandardHelpOptions = true)
public final class ExperimentCommand implements Callable<Integer> {
    private static final int FINE = 0;
    private static final int BAD_FILE = 2;

    @Parameters(arity = "0..1", paramLabel = "NAME", description = "Experiment; without a name, the command lists all.")
    private @Nullable String name;

    @Option(
            names = "--loads",
            split = ",",
            paramLabel = "LOAD",
            description = "Offered loads, relative to the cluster (default: those of the experiment).")
    private List<Double> loads = List.of();

    @Option(
            names = "--policies",
            split = ",",
            paramLabel = "NAME",
            description = "Policies to compare; the first one is the baseline (default: all of the experiment).")
    private List<String> policies = List.of();

    @Option(
            names = "--seeds",
            paramLabel = "N",
            description = "Number of traces for each load (default: ${DEFAULT-VALUE}).")
    private int seeds = 10;

    @Option(
            names = "--objective",
            paramLabel = "KIND",
            description = "Objective of Spur's own policy (default: that of a new installation).")
    private @Nullable ObjectiveKind objective;

    @Option(
            names = "--workers",
            paramLabel = "N",
            description = "Number of parallel replays (default: number of processors).")
    private int workers = Runtime.getRuntime().availableProcessors();

    @Option(names = "--tsv", description = "Print tables as tab-separated values.")
    private boolean tsv;

    @Option(names = "--quiet", description = "Show no progress.")
    private boolean quiet;

    @Option(
            names = "--out",
            paramLabel = "FOLDER",
            description = "Folder for finished replays, tables, a report page and plots.")
    private @Nullable Path out;

    @Spec
    private CommandSpec spec;

    private int done;

    @Override
    public Integer call() throws InterruptedException {
        if (name == null) {
            list();
            return FINE;
        }
        Experiment experiment = Experiments.of(name)
                .orElseThrow(() -> usageError("There is no experiment %s, but: %s."
                        .formatted(
                                name,
                                Experiments.all().stream().map(Experiment::name).collect(Collectors.joining(", ")))));
        return run(select(experiment), settings(experiment));
    }

    private void list() {
        int width = Experiments.all().stream()
                .mapToInt(each -> each.name().length())
                .max()
                .orElse(0);
        Experiments.all()
                .forEach(each ->
                        print(each.name() + " ".repeat(width - each.name().length() + 2) + each.question()));
    }

    private Experiment select(Experiment experiment) {
        try {
            return policies.isEmpty() ? experiment : experiment.with(policies);
        } catch (IllegalArgumentException exception) {
            throw usageError(exception.getMessage());
        }
    }

    private int run(Experiment experiment, GridSettings settings) throws InterruptedException {
        try {
            GridResult result = new GridResult(experiment, cells(experiment, settings));
            print(tsv ? result.means().asTsv() : result.means().asText());
            print("");
            print(tsv ? result.differences().asTsv() : result.differences().asText());
            if (out != null) {
                GridFiles.write(out, result);
            }
            return FINE;
        } catch (IOException exception) {
            printMessage(String.valueOf(exception.getMessage()));
            return BAD_FILE;
        }
    }

    private List<Cell> cells(Experiment experiment, GridSettings settings) throws IOException, InterruptedException {
        int all = settings.loads().size()
                * settings.seeds()
                * experiment.variants().size();
        FinishedReplays finished =
                out == null ? FinishedReplays.inMemory() : FinishedReplays.in(out.resolve("replays.jsonl"));
        long start = System.nanoTime();
        return new Grid(experiment, settings, finished, (cell, isNew) -> report(all, start)).run();
    }

    private synchronized void report(int all, long start) {
        done++;
        if (!quiet) {
            PrintWriter err = spec.commandLine().getErr();
            err.printf(
                    "\r%d of %d replays, %.0f s%s",
                    done, all, (System.nanoTime() - start) / 1e9, done == all ? "\n" : "");
            err.flush();
        }
    }

    private GridSettings settings(Experiment experiment) {
        try {
            return new GridSettings(
                    loads.isEmpty() ? experiment.loads() : loads,
                    seeds,
                    objective == null ? RoundSettings.DEFAULT.objective() : Objective.of(objective),
                    workers);
        } catch (IllegalArgumentException exception) {
            throw usageError(exception.getMessage());
        }
    }

    private ParameterException usageError(@Nullable String message) {
        return new ParameterException(spec.commandLine(), String.valueOf(message));
    }

    private void print(String text) {
        PrintWriter output = spec.commandLine().getOut();
        output.println(text);
        output.flush();
    }

    private void printMessage(String line) {
        PrintWriter err = spec.commandLine().getErr();
        err.println("spur: " + line);
        err.flush();
    }
}
