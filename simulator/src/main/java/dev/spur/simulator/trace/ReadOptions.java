package dev.spur.simulator.trace;

import dev.spur.model.Checks;
import dev.spur.model.cluster.Node;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a reader may need beside the file.
 *
 * @param nodes the cluster on which the trace is to be replayed
 * @param knowledge how much policies are told
 * @param profiles file or folder with the speeds of the trace's models; null for the place beside the trace where its
 *     authors keep it
 * @param seed seed of every random choice
 */
public record ReadOptions(
        List<Node> nodes,
        InformationLevel knowledge,
        @Nullable Path profiles,
        long seed) {
    public ReadOptions {
        nodes = Checks.copy(nodes);
    }
}
