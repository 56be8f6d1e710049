package dev.spur.simulator.trace.measured;

import dev.spur.model.NodeFixture;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.cluster.Node;
import dev.spur.model.performance.SyncStrategy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A made-up model in the files of the simulators: initial batch 10, largest 40, two epochs of 100 iterations. */
final class Toy {
    static final Path FOLDER = Path.of("src/test/resources/traces/measured");
    static final List<Node> T4 = List.of(
            NodeFixture.node("a", 2).type("T4").build(),
            NodeFixture.node("b", 2).type("T4").build());
    static final Node A100 = NodeFixture.node("c", 1).type("A100").build();

    private Toy() {}

    static MeasuredModel model() throws IOException {
        return MeasuredModel.read(FOLDER.resolve("placement-timings"), "toy").orElseThrow();
    }

    static Configuration on(String type, int batch, Integer... shape) {
        return new Configuration("main", type, List.of(shape), SyncStrategy.ALL_REDUCE, 0, batch, 0);
    }
}
