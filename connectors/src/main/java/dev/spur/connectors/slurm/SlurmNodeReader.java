package dev.spur.connectors.slurm;

import dev.spur.connectors.PlatformNode;
import dev.spur.connectors.PlatformNode.Condition;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Parses the nodes listed by slurmrestd. */
final class SlurmNodeReader {
    private static final double MIB_IN_GIB = 1024;
    private static final Set<String> OPEN = Set.of("idle", "mixed", "allocated", "completing");
    private static final Set<String> CLOSED = Set.of("planned", "reserved", "maint");
    /** State flags that do not prevent a node from accepting jobs. */
    private static final Set<String> HARMLESS = Set.of("COMPLETING", "PLANNED", "CLOUD", "DYNAMIC");

    private final List<String> partitions;

    SlurmNodeReader(List<String> partitions) {
        this.partitions = partitions;
    }

    /** Returns the node; empty if it is in none of the managed partitions. */
    Optional<PlatformNode> read(JsonNode row) {
        List<String> in = texts(row.path("partitions"));
        return partitions.stream().filter(in::contains).findFirst().map(pool -> read(row, pool));
    }

    private static PlatformNode read(JsonNode row, String pool) {
        List<Gres> gpus = Gres.all(row.path("gres").asString(""));
        List<String> notes = new ArrayList<>();
        if (gpus.size() > 1) {
            notes.add("GPUs of different types (%s) are not supported"
                    .formatted(row.path("gres").asString("")));
        }
        boolean plain = gpus.size() == 1;
        String type =
                plain ? (gpus.get(0).type().isEmpty() ? "gpu" : gpus.get(0).type()) : null;
        return new PlatformNode(
                row.path("name").asString(),
                pool,
                type,
                plain ? gpus.get(0).count() : 0,
                plain ? Gres.count(row.path("gres_used").asString("")) : 0,
                row.path("cpus").asDouble(0),
                row.path("real_memory").asDouble(0) / MIB_IN_GIB,
                condition(row),
                notes);
    }

    private static Condition condition(JsonNode row) {
        String state = row.path("state").asString("").toLowerCase(Locale.ROOT);
        boolean harmless = HARMLESS.containsAll(texts(row.path("state_flags")));
        if (OPEN.contains(state)) {
            return harmless ? Condition.OPEN : Condition.CLOSED;
        }
        return CLOSED.contains(state) ? Condition.CLOSED : Condition.LOST;
    }

    static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(text -> texts.add(text.asString("")));
        return texts;
    }
}
