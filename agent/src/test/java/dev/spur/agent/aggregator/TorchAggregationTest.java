package dev.spur.agent.aggregator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.agent.Interpreter;
import dev.spur.agent.process.SmallFile;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** DistributedDataParallel of PyTorch, whose gradients are summed on aggregators. */
@Tag("training")
class TorchAggregationTest {
    private static final int RANKS = 2;
    private static final int SHARDS = 3;
    private static final int LIMIT_SECONDS = 180;

    @TempDir
    private Path folder;

    @Test
    void aggregatorsLeadToTheWeightsOfTheReductionAmongRanks() throws Exception {
        String python = Interpreter.with("torch");
        try (AggregatorServer server = AggregatorServer.start(0)) {
            List<Integer> shards = IntStream.range(0, SHARDS).boxed().toList();
            server.set(new Content(List.of(new Content.Part("job", 1, RANKS, shards))));
            List<String> places = shards.stream()
                    .map(shard -> "\"%d\": \"127.0.0.1:%d\"".formatted(shard, server.port()))
                    .toList();
            Path file = folder.resolve("aggregators.json");
            SmallFile.write(file, "{%s}".formatted(String.join(", ", places)));

            List<Double> summed = weights(python, "summed", Map.of("SPUR_AGGREGATORS", file.toString()));
            List<Double> reduced = weights(python, "reduced", Map.of());

            assertThat(server.counts().shardsByJob().get(0).shards())
                    .hasSize(SHARDS)
                    .allMatch(shard -> shard.parts() > 0);
            for (int i = 0; i < reduced.size(); i++) {
                assertThat(summed.get(i)).isCloseTo(reduced.get(i), within(1e-5));
            }
        }
    }

    /** Trains on all ranks, and returns the weights at the end. */
    private List<Double> weights(String python, String name, Map<String, String> environment) throws Exception {
        Path out = folder.resolve(name);
        List<Process> ranks = new ArrayList<>();
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        for (int rank = 0; rank < RANKS; rank++) {
            ProcessBuilder builder = new ProcessBuilder(
                            python,
                            "-B",
                            Path.of("..", "python", "tests", "elastic.py").toString(),
                            "--out",
                            out.toString(),
                            "--backend",
                            "gloo")
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve(name + rank + ".log").toFile());
            Map<String, String> variables = new HashMap<>(environment);
            variables.putAll(Map.of(
                    "SPUR_JOB", "job",
                    "SPUR_GENERATION", "1",
                    "SPUR_LOCAL_BATCH", "24",
                    "RANK", Integer.toString(rank),
                    "WORLD_SIZE", Integer.toString(RANKS),
                    "MASTER_ADDR", "127.0.0.1",
                    "MASTER_PORT", Integer.toString(port),
                    "OMP_NUM_THREADS", "1"));
            builder.environment().putAll(variables);
            ranks.add(builder.start());
        }
        for (int rank = 0; rank < RANKS; rank++) {
            boolean ended = ranks.get(rank).waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
            ranks.get(rank).destroyForcibly();
            assertThat(ended && ranks.get(rank).exitValue() == 0)
                    .as(Files.readString(folder.resolve(name + rank + ".log")))
                    .isTrue();
        }
        JsonNode end = JsonMapper.shared().readTree(Files.readString(folder.resolve(name + "-end.json")));
        return StreamSupport.stream(end.path("weights").spliterator(), false)
                .map(JsonNode::asDouble)
                .toList();
    }
}
