package dev.spur.connectors.determined;

import dev.spur.connectors.PlatformNode;
import dev.spur.connectors.PlatformNode.Condition;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/** Parses the agents listed by the master. The master does not report their CPUs and memory. */
final class AgentReader {
    private static final Set<String> ACCELERATORS = Set.of("TYPE_CUDA", "TYPE_ROCM");

    private final List<String> pools;

    AgentReader(List<String> pools) {
        this.pools = pools;
    }

    /** Returns the node; empty if it is in none of the managed pools. */
    Optional<PlatformNode> read(JsonNode row) {
        List<String> in = new ArrayList<>();
        row.path("resourcePools").forEach(pool -> in.add(pool.asString("")));
        return pools.stream().filter(in::contains).findFirst().map(pool -> read(row, pool));
    }

    private static PlatformNode read(JsonNode row, String pool) {
        Condition condition = condition(row);
        Set<String> types = new TreeSet<>();
        List<String> notes = new ArrayList<>();
        int slots = 0;
        int used = 0;
        for (JsonNode slot : row.path("slots")) {
            if (!ACCELERATORS.contains(slot.path("device").path("type").asString(""))) {
                continue;
            }
            types.add(type(slot.path("device").path("brand").asString("")));
            // the master reports the slots of a disabled agent as disabled, although their containers still run
            if (condition == Condition.CLOSED || isOpen(slot)) {
                slots++;
                used += slot.path("container").isObject() ? 1 : 0;
            }
        }
        if (types.size() > 1) {
            notes.add("slots of different types %s are not supported".formatted(types));
        }
        if (types.isEmpty() && !row.path("slots").isEmpty()) {
            notes.add("its slots are neither CUDA nor ROCm devices");
        }
        boolean plain = types.size() == 1;
        return new PlatformNode(
                row.path("id").asString(),
                pool,
                plain ? types.iterator().next() : null,
                plain ? slots : 0,
                plain ? used : 0,
                0,
                0,
                condition,
                notes);
    }

    /** Converts a brand into a type name: {@code NVIDIA H100 80GB HBM3} becomes {@code nvidia-h100-80gb-hbm3}. */
    private static String type(String brand) {
        String name =
                brand.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
        return name.isEmpty() ? "gpu" : name;
    }

    private static Condition condition(JsonNode row) {
        return isOpen(row) ? Condition.OPEN : Condition.CLOSED;
    }

    private static boolean isOpen(JsonNode agentOrSlot) {
        return agentOrSlot.path("enabled").asBoolean(true)
                && !agentOrSlot.path("draining").asBoolean(false);
    }
}
