package dev.spur.simulator.trace;

import dev.spur.model.Checks;
import dev.spur.model.cluster.Node;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Options of a trace reader in addition to the file.
 *
 * @param nodes nodes of the cluster on which the trace is replayed
 * @param informationLevel information on job speeds that policies receive
 * @param profiles file or folder with the speeds of the trace's models; null for the location relative to the trace
 *     that its authors use
 * @param seed seed of every random choice
 * @param columns names of columns that differ from those of the format, by value
 */
public record ReadOptions(
        List<Node> nodes,
        InformationLevel informationLevel,
        @Nullable Path profiles,
        long seed,
        Map<String, String> columns) {
    public ReadOptions {
        nodes = Checks.copy(nodes);
        columns = Checks.copy(columns);
    }

    /** Options with the columns of the format. */
    public ReadOptions(List<Node> nodes, InformationLevel informationLevel, @Nullable Path profiles, long seed) {
        this(nodes, informationLevel, profiles, seed, Map.of());
    }
}
