package dev.spur.simulator.experiment;

import dev.spur.model.objective.Objective;
import dev.spur.model.round.RoundSettings;
import dev.spur.policies.PolicyRegistry;
import dev.spur.simulator.replay.ProgressListener;
import dev.spur.simulator.replay.ReplaySettings;
import dev.spur.simulator.replay.Replayer;
import dev.spur.simulator.report.FinishedReplays;
import dev.spur.simulator.report.Summary;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.synthetic.SyntheticTrace;
import dev.spur.solver.policy.Policy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Runs an experiment: generates one trace per load and seed, and replays it under each variant that is not finished
 * yet.
 */
public final class Grid {
    /** Listener that is notified of each replay. */
    public interface Listener {
        /** @param isNew true if the replay was run now, false if it had finished earlier */
        void onCell(Cell cell, boolean isNew);
    }

    private final Experiment experiment;
    private final GridSettings settings;
    private final FinishedReplays finished;
    private final Listener listener;

    /** @param finished store of finished replays, which also receives the new ones */
    public Grid(Experiment experiment, GridSettings settings, FinishedReplays finished, Listener listener) {
        this.experiment = experiment;
        this.settings = settings;
        this.finished = finished;
        this.listener = listener;
    }

    /**
     * Returns all cells by load, seed and order of the variants.
     *
     * @throws IOException if a finished replay cannot be stored
     */
    public List<Cell> run() throws IOException, InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(settings.workers());
        try {
            List<Future<List<Cell>>> tasks = new ArrayList<>();
            for (double load : settings.loads()) {
                for (long seed = 1; seed <= settings.seeds(); seed++) {
                    tasks.add(pool.submit(on(load, seed)));
                }
            }
            List<Cell> cells = new ArrayList<>();
            for (Future<List<Cell>> task : tasks) {
                cells.addAll(task.get());
            }
            return cells;
        } catch (ExecutionException exception) {
            if (exception.getCause() instanceof IOException unwritable) {
                throw unwritable;
            }
            if (exception.getCause() instanceof RuntimeException wrong) {
                throw wrong;
            }
            throw new IllegalStateException(exception.getCause());
        } finally {
            pool.shutdownNow();
        }
    }

    private Callable<List<Cell>> on(double load, long seed) {
        return () -> {
            List<Cell> cells = new ArrayList<>();
            Optional<Trace> trace = Optional.empty();
            for (Variant variant : experiment.variants()) {
                String key = key(variant, load, seed);
                Optional<Summary> known = finished.find(key);
                if (known.isEmpty()) {
                    trace = trace.or(() -> Optional.of(trace(load, seed)));
                    finished.add(key, replay(trace.orElseThrow(), variant, seed));
                }
                Cell cell =
                        new Cell(load, seed, variant.name(), finished.find(key).orElseThrow());
                cells.add(cell);
                listener.onCell(cell, known.isEmpty());
            }
            return cells;
        };
    }

    private Trace trace(double load, long seed) {
        return SyntheticTrace.generate(
                experiment.settings().withLoad(load), experiment.cluster().allNodes(), seed);
    }

    private Summary replay(Trace trace, Variant variant, long seed) {
        Policy policy = PolicyRegistry.policy(variant.policy()).orElseThrow();
        return Summary.of(Replayer.replay(
                trace, experiment.cluster(), policy, replaySettings(variant).withSeed(seed), ProgressListener.NONE));
    }

    private ReplaySettings replaySettings(Variant variant) {
        Objective objective = variant.objective() == null ? settings.objective() : Objective.of(variant.objective());
        RoundSettings roundSettings =
                RoundSettings.DEFAULT.withObjective(objective).withEffort(experiment.gap(), experiment.budget());
        return ReplaySettings.DEFAULT.withPlanning(roundSettings).withRounds(experiment.roundSeconds(), null);
    }

    /**
     * Returns the key of a cell. Two cells have the same key only if everything that their replays depend on is equal.
     */
    private String key(Variant variant, double load, long seed) {
        String cell =
                String.format(Locale.ROOT, "%s %s load %s seed %d", experiment.name(), variant.name(), load, seed);
        return FinishedReplays.key(
                cell,
                variant.policy(),
                experiment.cluster().toString(),
                experiment.settings().withLoad(load).toString(),
                replaySettings(variant).toString());
    }
}
