package dev.spur.benchmarks.chaos;

import dev.spur.model.json.RoundJson;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/** Checkpoints of all jobs, loaded by Python. */
final class CheckpointFiles {
    private final Map<String, JsonNode> resultsByName = new HashMap<>();

    private CheckpointFiles() {}

    /** Loads the checkpoints of each job with its own Python. */
    static CheckpointFiles load(Path checkpoints, List<ChaosJob> jobs) throws IOException, InterruptedException {
        CheckpointFiles files = new CheckpointFiles();
        for (Map.Entry<String, List<ChaosJob>> entry :
                jobs.stream().collect(Collectors.groupingBy(ChaosJob::python)).entrySet()) {
            List<String> words = new ArrayList<>(List.of(entry.getKey(), "-B", ChaosJob.SCRIPT.toString(), "check"));
            entry.getValue()
                    .forEach(job -> words.add(checkpoints.resolve(job.name()).toString()));
            Process script =
                    new ProcessBuilder(words).redirectError(Redirect.INHERIT).start();
            String output = new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (script.waitFor() != 0) {
                throw new IllegalStateException(ChaosJob.SCRIPT + " ended with status " + script.exitValue());
            }
            output.lines().map(RoundJson.mapper()::readTree).forEach(files::add);
        }
        return files;
    }

    private void add(JsonNode result) {
        Path folder = Path.of(result.path("folder").asString());
        resultsByName.put(folder.getFileName().toString(), result);
    }

    private JsonNode result(String name) {
        return resultsByName.getOrDefault(name, MissingNode.getInstance());
    }

    /** Returns the number of checkpoints of a job that can be loaded. */
    int count(String name) {
        return result(name).path("files").asInt(0)
                - result(name).path("damaged").size();
    }

    /** Returns the samples of the newest checkpoint of a job that can be loaded; 0 without one. */
    long samples(String name) {
        return result(name).path("samples").asLong(0);
    }

    /** Returns the checkpoints of a job that cannot be loaded, with the cause. */
    List<String> errors(String name) {
        return result(name)
                .path("damaged")
                .valueStream()
                .map(JsonNode::asString)
                .toList();
    }
}
