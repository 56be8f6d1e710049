package dev.spur.simulator.trace.measured;

import dev.spur.model.job.JobSpec;
import dev.spur.simulator.trace.GroundTruth;
import dev.spur.simulator.trace.InformationLevel;
import dev.spur.simulator.trace.PolicyViewModel;
import dev.spur.simulator.trace.ReadOptions;
import dev.spur.simulator.trace.TraceJob;
import dev.spur.simulator.trace.parsing.Row;
import dev.spur.simulator.trace.parsing.SkipCounter;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Factory of jobs of one measured model. Equal jobs share their ground truth and their view model. */
final class MeasuredJobFactory {
    /** Division of the choice of slots and batch size. */
    enum Kind {
        /** The policy chooses the slots, and the job its batch size. */
        ADAPTIVE,
        /** The policy chooses slots, the workload the batch size. */
        FIXED_BATCH,
        /** The workload chooses both. */
        RIGID
    }

    /** Ground truth of adaptive jobs, with the view model of policies. */
    private record Seen(GroundTruth truth, PolicyViewModel viewModel) {}

    /** Properties that equal jobs share. */
    private record Shared(GroundTruth truth, PolicyViewModel viewModel, double aloneSeconds, boolean fits) {}

    private final MeasuredModel model;
    private final SimulatorConventions conventions;
    private final Kind kind;
    private final InformationLevel informationLevel;
    private final AcceleratorInventory inventory;
    private final AdaptiveModel adaptive;
    private final Map<Integer, Seen> seenAdaptives = new HashMap<>();
    private final Map<String, Shared> shared = new HashMap<>();

    MeasuredJobFactory(MeasuredModel model, SimulatorConventions conventions, Kind kind, ReadOptions options) {
        this.model = model;
        this.conventions = conventions;
        this.kind = kind;
        informationLevel = options.informationLevel();
        inventory = new AcceleratorInventory(options.nodes(), model.types());
        adaptive = new AdaptiveModel(model, conventions);
    }

    /** Returns the job of {@code row}; empty if it cannot be replayed, which {@code skips} counts. */
    Optional<TraceJob> job(Row row, SkipCounter skips) {
        int slots = row.count("num_replicas").orElse(0);
        int batch = row.count("batch_size").orElse(0);
        if (row.text("name").isEmpty() || row.number("time").isEmpty()) {
            skips.add("no name or no time");
            return Optional.empty();
        }
        if (slots < 1 || batch < 1) {
            skips.add("no slots or no batch size");
            return Optional.empty();
        }
        Shared alike = shared.computeIfAbsent(batch + "/" + slots, key -> share(slots, batch));
        if (!alike.fits) {
            skips.add("runs on no type of the cluster");
            return Optional.empty();
        }
        return Optional.of(new TraceJob(
                row.text("name").orElseThrow(),
                Math.max(0, row.number("time").orElseThrow()),
                "root",
                null,
                slots,
                alike.aloneSeconds,
                alike.truth,
                alike.viewModel));
    }

    private Shared share(int slots, int batch) {
        return kind == Kind.ADAPTIVE ? adaptive(slots, batch) : fixedSize(slots, batch);
    }

    private Seen viewOf(int largestBatch) {
        AdaptiveSpecs specs = new AdaptiveSpecs(adaptive, inventory, largestBatch);
        if (informationLevel == InformationLevel.ORACLE) {
            return new Seen(new AdaptiveGroundTruth(adaptive), new OracleViewModel(specs));
        }
        if (informationLevel == InformationLevel.PREDICTED || informationLevel == InformationLevel.PROFILED) {
            PredictedSpeeds predicted = new PredictedSpeeds(specs);
            ProfilingTargetSelection selection = informationLevel == InformationLevel.PROFILED
                    ? new ProfilingTargetSelection(specs, predicted)
                    : null;
            return new Seen(
                    new LearningGroundTruth(adaptive, predicted), new PredictedViewModel(specs, predicted, selection));
        }
        LearnedProfiles profiles = new LearnedProfiles(specs);
        return new Seen(new LearningGroundTruth(adaptive, profiles), new BootstrapViewModel(specs, profiles));
    }

    private Shared adaptive(int slots, int batch) {
        double alone = adaptive.secondsAlone(inventory, Math.min(slots, conventions.maxSlots(model.name())));
        Seen seen = seenAdaptives.computeIfAbsent(
                informationLevel == InformationLevel.BOOTSTRAP ? conventions.plannedBatch(batch) : Integer.MAX_VALUE,
                this::viewOf);
        return new Shared(
                seen.truth,
                seen.viewModel,
                Double.isFinite(alone) ? alone : adaptive.secondsAlone(inventory, 1),
                Double.isFinite(adaptive.secondsAlone(inventory, 1)));
    }

    private Shared fixedSize(int slots, int batch) {
        FixedBatchModel fixed = new FixedBatchModel(model, conventions, batch);
        int desired = Math.min(slots, conventions.maxSlots(model.name()));
        double alone = fixed.secondsAlone(inventory, desired);
        boolean rigid = kind == Kind.RIGID;
        int max = rigid ? desired : fixed.maxSlots(inventory);
        JobSpec spec = fixed.spec(inventory, rigid ? desired : 1, max);
        boolean fits = rigid ? Double.isFinite(alone) : Double.isFinite(fixed.secondsAlone(inventory, 1));
        double seconds = Double.isFinite(alone) ? alone : fixed.secondsAlone(inventory, 1);
        return new Shared(fixed, PolicyViewModel.complete(spec), Double.isFinite(seconds) ? seconds : 1, fits);
    }
}
