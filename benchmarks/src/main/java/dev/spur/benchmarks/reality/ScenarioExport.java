package dev.spur.benchmarks.reality;

import dev.spur.model.Checks;
import dev.spur.model.job.JobSpec;
import dev.spur.model.json.RoundJson;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.simulator.trace.GroundTruth;
import dev.spur.simulator.trace.RunHistory;
import dev.spur.simulator.trace.SpecGroundTruth;
import dev.spur.simulator.trace.TraceJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Export of a scenario as {@code trace.json} (format {@code spur}) and {@code cluster.json}. The files lack quotas and
 * reservations, which a cluster file cannot state.
 */
final class ScenarioExport {
    private final IdentityHashMap<ThroughputProfile, String> names = new IdentityHashMap<>();
    private final Map<String, Object> models = new LinkedHashMap<>();
    private final List<Object> jobs = new ArrayList<>();

    private ScenarioExport() {}

    /** Writes {@code scenario} into the folder {@code target}, which is created if it is missing. */
    static void write(Scenario scenario, Path target) throws IOException {
        ScenarioExport export = new ScenarioExport();
        scenario.trace().jobs().forEach(export::add);
        Files.createDirectories(target);
        Files.writeString(
                target.resolve("trace.json"),
                RoundJson.mapper().writeValueAsString(Map.of("models", export.models, "jobs", export.jobs)));
        Files.writeString(target.resolve("cluster.json"), RoundJson.mapper().writeValueAsString(scenario.nodes()));
    }

    private void add(TraceJob job) {
        JobSpec truth = truth(job.truth());
        JobSpec stated = job.viewModel().after(RunHistory.NONE).spec();
        String model = names.computeIfAbsent(stated.profile(), profile -> addModel(truth));
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("id", job.id());
        row.put("arrival", job.arrival());
        row.put("model", model);
        row.put("samples", truth.totalSamples());
        row.put("requestedSlots", job.requestedSlots());
        row.put("minSlots", truth.elasticity().minSlots());
        row.put("maxSlots", truth.elasticity().maxSlots());
        row.put("tenant", job.tenant());
        if (stated.work().estimated()) {
            row.put("estimatedSamples", stated.totalSamples());
        }
        jobs.add(row);
    }

    private static JobSpec truth(GroundTruth truth) {
        Checks.require(truth instanceof SpecGroundTruth, "%s has no specification", truth);
        return ((SpecGroundTruth) truth).spec();
    }

    /** Adds a model for each profile. Returns its name. */
    private String addModel(JobSpec truth) {
        String name = "model-" + models.size();
        models.put(
                name,
                Map.of(
                        "initialBatch",
                        truth.batch().initial(),
                        "maxBatch",
                        truth.batch().max(),
                        "restartSeconds",
                        truth.restartPenaltySeconds(),
                        "speeds",
                        truth.profile().points().stream()
                                .map(ScenarioExport::speed)
                                .toList()));
        return name;
    }

    private static Map<String, Object> speed(ProfilePoint point) {
        return Map.of(
                "type", point.acceleratorType(),
                "slots", point.slots(),
                "nodes", point.nodes(),
                "batch", point.batchSize(),
                "samplesPerSecond", point.samplesPerSecond());
    }
}
