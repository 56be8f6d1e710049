package dev.spur.benchmarks.chaos;

import dev.spur.model.json.RoundJson;
import java.nio.file.Path;
import java.util.Random;
import tools.jackson.databind.node.ObjectNode;

/**
 * Short training.
 *
 * @param name unique name
 * @param framework argument of the script: torch, lightning or transformers
 * @param python Python with this framework
 * @param maxSlots largest number of ranks
 * @param samples samples of an epoch
 * @param epochs number of epochs
 */
public record ChaosJob(String name, String framework, String python, int maxSlots, int samples, int epochs) {
    static final Path SCRIPT =
            Path.of("benchmarks", "chaos", "train.py").toAbsolutePath().normalize();

    private static final int BATCH = 16;
    private static final double PAUSE_SECONDS = 0.15;
    private static final int MAX_RESTARTS = 50;

    /** Draws the length and the largest number of ranks of a job. */
    public static ChaosJob draw(String name, String framework, String python, Random random) {
        int steps = 60 + random.nextInt(60);
        return new ChaosJob(name, framework, python, 1 + random.nextInt(2), BATCH * steps, 1 + random.nextInt(2));
    }

    /** Returns the samples of all epochs. */
    long statedSamples() {
        return (long) samples * epochs;
    }

    /** Returns the submission. */
    String json(Path checkpoints, Path record) {
        ObjectNode job = RoundJson.mapper().createObjectNode();
        job.put("owner", "chaos").put("name", name);
        ObjectNode command = job.putObject("command")
                .put("program", python)
                .put("maxRestarts", MAX_RESTARTS)
                .put("graceSeconds", 20)
                .put("checkpointDir", checkpoints.toString());
        command.putObject("env").put("OMP_NUM_THREADS", "1");
        command.putArray("args")
                .add("-B")
                .add(SCRIPT.toString())
                .add(framework)
                .add("--samples=" + samples)
                .add("--epochs=" + epochs)
                .add("--pause=" + PAUSE_SECONDS)
                .add("--record=" + record);
        ObjectNode spec = job.putObject("spec").put("restartPenaltySeconds", 5);
        spec.putObject("work").put("unit", "SAMPLES").put("amount", statedSamples());
        spec.putObject("elasticity").put("minSlots", 1).put("maxSlots", maxSlots);
        spec.putObject("batch")
                .put("initial", BATCH)
                .put("min", BATCH)
                .put("max", BATCH)
                .put("maxPerDevice", BATCH);
        var points = spec.putObject("profile").putArray("points");
        for (int slots = 1; slots <= maxSlots; slots++) {
            points.addObject()
                    .put("acceleratorType", "stated")
                    .put("slots", slots)
                    .put("nodes", 1)
                    .put("batchSize", BATCH)
                    .put("strategy", "ALL_REDUCE")
                    .put("samplesPerSecond", BATCH / PAUSE_SECONDS * (0.5 + 0.5 * slots));
        }
        if (framework.equals("torch")) {
            spec.putObject("changeCosts").put("rescaleSeconds", 1).put("migrateSeconds", 2);
        }
        return job.toString();
    }
}
