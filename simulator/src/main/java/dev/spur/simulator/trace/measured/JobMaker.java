package dev.spur.simulator.trace.measured;

import dev.spur.model.job.JobSpec;
import dev.spur.simulator.trace.Insight;
import dev.spur.simulator.trace.Knowledge;
import dev.spur.simulator.trace.ReadOptions;
import dev.spur.simulator.trace.TraceJob;
import dev.spur.simulator.trace.Truth;
import dev.spur.simulator.trace.table.Row;
import dev.spur.simulator.trace.table.Skips;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Makes jobs of one measured model. Jobs that are alike share their truth and their insight. */
final class JobMaker {
    /** Who chooses slots and batch size. */
    enum Kind {
        /** Policy and job. */
        ADAPTIVE,
        /** The policy chooses slots, the workload the batch size. */
        FIXED_BATCH,
        /** The workload chooses both. */
        RIGID
    }

    /** How adaptive jobs run, and what policies are told of them. */
    private record Seen(Truth truth, Insight insight) {}

    /** What jobs that are alike share. */
    private record Shared(Truth truth, Insight insight, double aloneSeconds, boolean fits) {}

    private final MeasuredModel model;
    private final Conventions conventions;
    private final Kind kind;
    private final Knowledge knowledge;
    private final Fleet fleet;
    private final AdaptiveModel adaptive;
    private final Map<Integer, Seen> adaptives = new HashMap<>();
    private final Map<String, Shared> shared = new HashMap<>();

    JobMaker(MeasuredModel model, Conventions conventions, Kind kind, ReadOptions options) {
        this.model = model;
        this.conventions = conventions;
        this.kind = kind;
        knowledge = options.knowledge();
        fleet = new Fleet(options.nodes(), model.types());
        adaptive = new AdaptiveModel(model, conventions);
    }

    /** The job of {@code row}; empty if it cannot be replayed, which is counted. */
    Optional<TraceJob> job(Row row, Skips skips) {
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
                alike.insight));
    }

    private Shared share(int slots, int batch) {
        return kind == Kind.ADAPTIVE ? adaptive(slots, batch) : fixed(slots, batch);
    }

    private Seen seen(int largestBatch) {
        AdaptiveSpecs specs = new AdaptiveSpecs(adaptive, fleet, largestBatch);
        if (knowledge == Knowledge.ORACLE) {
            return new Seen(new AdaptiveTruth(adaptive), new OracleInsight(specs));
        }
        if (knowledge == Knowledge.PREDICTED || knowledge == Knowledge.PROFILED) {
            PredictedSpeeds predicted = new PredictedSpeeds(specs);
            ProbeChoice probes = knowledge == Knowledge.PROFILED ? new ProbeChoice(specs, predicted) : null;
            return new Seen(new LearningTruth(adaptive, predicted), new PredictedInsight(specs, predicted, probes));
        }
        LearnedProfiles profiles = new LearnedProfiles(specs);
        return new Seen(new LearningTruth(adaptive, profiles), new BootstrapInsight(specs, profiles));
    }

    private Shared adaptive(int slots, int batch) {
        double alone = adaptive.secondsAlone(fleet, Math.min(slots, conventions.mostSlots(model.name())));
        Seen seen = adaptives.computeIfAbsent(
                knowledge == Knowledge.BOOTSTRAP ? conventions.plannedBatch(batch) : Integer.MAX_VALUE, this::seen);
        return new Shared(
                seen.truth,
                seen.insight,
                Double.isFinite(alone) ? alone : adaptive.secondsAlone(fleet, 1),
                Double.isFinite(adaptive.secondsAlone(fleet, 1)));
    }

    private Shared fixed(int slots, int batch) {
        FixedBatchModel fixed = new FixedBatchModel(model, conventions, batch);
        int wanted = Math.min(slots, conventions.mostSlots(model.name()));
        double alone = fixed.secondsAlone(fleet, wanted);
        boolean rigid = kind == Kind.RIGID;
        int most = rigid ? wanted : fixed.mostSlots(fleet);
        JobSpec spec = fixed.spec(fleet, rigid ? wanted : 1, most);
        boolean fits = rigid ? Double.isFinite(alone) : Double.isFinite(fixed.secondsAlone(fleet, 1));
        double seconds = Double.isFinite(alone) ? alone : fixed.secondsAlone(fleet, 1);
        return new Shared(fixed, Insight.complete(spec), Double.isFinite(seconds) ? seconds : 1, fits);
    }
}
