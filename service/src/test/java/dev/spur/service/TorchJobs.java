package dev.spur.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.json.RoundJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/** Jobs of a {@link TrainingSite} that train with PyTorch, and the steps that they record. */
final class TorchJobs {
    private static final Path PYTHON = Path.of("..", "python").toAbsolutePath().normalize();
    private static final Path TRAINING =
            Path.of("src", "test", "resources", "torch_rescale.py").toAbsolutePath();

    private final TrainingSite site;
    private final Path folder;
    private final String python;

    /** @param python interpreter with PyTorch */
    TorchJobs(TrainingSite site, Path folder, String python) {
        this.site = site;
        this.folder = folder;
        this.python = python;
    }

    /**
     * Step of a rank.
     *
     * @param from samples that the job had processed before it
     * @param samples samples of the rank
     */
    record Step(long pid, long generation, int rank, int ranks, int from, double loss, List<Integer> samples) {
        static Step of(String line) {
            List<String> words = List.of(line.split(" ", -1));
            return new Step(
                    Long.parseLong(words.get(0)),
                    Long.parseLong(words.get(1)),
                    Integer.parseInt(words.get(2)),
                    Integer.parseInt(words.get(3)),
                    Integer.parseInt(words.get(4)),
                    Double.parseDouble(words.get(5)),
                    words.subList(6, words.size()).stream()
                            .map(Integer::valueOf)
                            .toList());
        }
    }

    /** Mean loss of the ranks of each step, by the samples before it. */
    static Map<Integer, Double> losses(List<Step> steps) {
        return steps.stream()
                .collect(Collectors.groupingBy(Step::from, TreeMap::new, Collectors.averagingDouble(Step::loss)));
    }

    /** Runs so many steps of the training on one rank without Spur, and returns them. */
    List<Step> uninterrupted(int steps) throws Exception {
        Path file = folder.resolve("uninterrupted");
        ProcessBuilder training =
                new ProcessBuilder(python, "-B", TRAINING.toString(), file.toString(), "0", Integer.toString(steps));
        training.environment().put("PYTHONPATH", PYTHON.toString());
        assertThat(training.inheritIO().start().waitFor()).isZero();
        return read(file);
    }

    void awaitRanks(int ranks) throws Exception {
        TrainingSite.await(ranks + " ranks", () -> newest().ranks() == ranks);
    }

    /** Waits until a job trains on so many ranks, and its executors have reported the change as complete. */
    void awaitChange(String job, int ranks, String... nodes) throws Exception {
        awaitRanks(ranks);
        TrainingSite.await("the end of the change", () -> {
            for (String node : nodes) {
                boolean changes = site.get("/executors/%s/assignments".formatted(node))
                        .path("assignments")
                        .valueStream()
                        .filter(assignment ->
                                assignment.path("jobId").asString().equals(job))
                        .map(assignment -> assignment.path("rescale"))
                        .anyMatch(change ->
                                change.isObject() && !change.path("done").asBoolean());
                if (changes) {
                    return false;
                }
            }
            return true;
        });
    }

    Step newest() throws IOException {
        List<Step> steps = steps();
        return steps.isEmpty() ? new Step(0, 0, 0, 0, 0, 0, List.of()) : steps.get(steps.size() - 1);
    }

    /** Complete lines; the last one may be incomplete. */
    List<Step> steps() throws IOException {
        return read(folder.resolve("steps"));
    }

    private static List<Step> read(Path file) throws IOException {
        if (!Files.exists(file)) {
            return List.of();
        }
        String text = Files.readString(file);
        return text.substring(0, text.lastIndexOf('\n') + 1)
                .lines()
                .map(Step::of)
                .toList();
    }

    static void kill(long pid) {
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }

    int slots(String job) throws Exception {
        return site.job(job)
                .at("/allocation/placement")
                .valueStream()
                .mapToInt(share -> share.path("devices").size())
                .sum();
    }

    String observed(String job) throws Exception {
        return site.job(job).at("/observed/state").asString("");
    }

    /** A job of one slot that runs until it is cancelled, and before the training. */
    String submitOther() throws Exception {
        ObjectNode job = submission("sleep", "1000");
        job.withObject("/spec").put("priority", 10).withObject("/elasticity").put("maxSlots", 1);
        return id(job);
    }

    void cancel(String job) throws Exception {
        assertThat(site.send("POST", "/jobs/" + job + "/cancel", "").statusCode())
                .isEqualTo(200);
    }

    /** Submits a training; see {@link #training}. Returns its id. */
    String submit(String mechanism, int slots, int preparationSeconds) throws Exception {
        return id(training(mechanism, slots, preparationSeconds));
    }

    private String id(ObjectNode submission) throws Exception {
        return RoundJson.mapper()
                .readTree(site.send("POST", "/jobs", submission.toString()).body())
                .path("id")
                .asString();
    }

    /**
     * A training on up to {@code slots} slots that records its steps.
     *
     * @param mechanism member of changeCosts that it supports
     * @param preparationSeconds time from the start of its processes until they are ready
     */
    private ObjectNode training(String mechanism, int slots, int preparationSeconds) {
        ObjectNode job = submission(
                python,
                "-B",
                TRAINING.toString(),
                folder.resolve("steps").toString(),
                Integer.toString(preparationSeconds));
        job.withObject("/command")
                .putObject("env")
                .put("PYTHONPATH", PYTHON.toString())
                .put("OMP_NUM_THREADS", "1");
        job.withObject("/spec").putObject("changeCosts").put(mechanism, 1);
        job.withObject("/spec").withObject("/elasticity").put("maxSlots", slots);
        return job;
    }

    private static ObjectNode submission(String program, String... arguments) {
        ObjectNode job = RoundJson.mapper().createObjectNode();
        job.put("owner", "test").put("name", program.replaceAll(".*/", ""));
        var args = job.putObject("command")
                .put("program", program)
                .put("graceSeconds", 5)
                .putArray("args");
        Arrays.stream(arguments).forEach(args::add);
        ObjectNode spec = job.putObject("spec").put("restartPenaltySeconds", 5);
        spec.putObject("work").put("unit", "SAMPLES").put("amount", 100_000_000);
        spec.putObject("elasticity").put("maxSlots", 2);
        spec.putObject("batch").put("initial", 32).put("min", 32).put("max", 32).put("maxPerDevice", 32);
        var points = spec.putObject("profile").putArray("points");
        for (int slots = 1; slots <= 2; slots++) {
            for (int nodes = 1; nodes <= slots; nodes++) {
                points.addObject()
                        .put("acceleratorType", "stated")
                        .put("slots", slots)
                        .put("nodes", nodes)
                        .put("batchSize", 32)
                        .put("strategy", "ALL_REDUCE")
                        .put("samplesPerSecond", 1000 * slots);
            }
        }
        return job;
    }
}
