package dev.spur.solver.aggregation;

import dev.spur.model.Checks;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Slots of the shards.
 *
 * @param slots by job, for each of its shards the number of the aggregation slot, from 0 on
 */
public record ShardPlacement(Map<String, List<Integer>> slots) {
    /** The empty placement. */
    public static final ShardPlacement NONE = new ShardPlacement(Map.of());

    public ShardPlacement {
        slots = Checks.copy(slots);
    }

    /** Returns the number of slots that hold a shard. */
    public int usedSlots() {
        Set<Integer> used = new HashSet<>();
        slots.values().forEach(used::addAll);
        return used.size();
    }

    /** Returns the number of shards of jobs in both placements that are on another slot in {@code laterPlacement}. */
    public int movedTo(ShardPlacement laterPlacement) {
        int moved = 0;
        for (Map.Entry<String, List<Integer>> entry : slots.entrySet()) {
            List<Integer> now = laterPlacement.slots().getOrDefault(entry.getKey(), List.of());
            for (int s = 0; s < Math.min(now.size(), entry.getValue().size()); s++) {
                moved += now.get(s).equals(entry.getValue().get(s)) ? 0 : 1;
            }
        }
        return moved;
    }
}
