package dev.spur.solver.aggregation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Previous slots of the shards.
 *
 * @param previousPlacement the previous placement
 * @param classes classes of the present shards
 * @param slots present number of slots
 */
record PreviousPlacement(ShardPlacement previousPlacement, ShardClasses classes, int slots) {
    /**
     * Returns the previous slot of a shard; {@link PackingState#NOWHERE} if the shard is new or its slot no longer
     * exists.
     */
    int of(int kind, int shard) {
        List<Integer> known = previousPlacement
                .slots()
                .getOrDefault(classes.demand(classes.job(kind)).job(), List.of());
        boolean isPlaced = shard < known.size() && known.get(shard) < slots;
        return isPlaced ? known.get(shard) : PackingState.NOWHERE;
    }

    /**
     * Returns the placement of {@code packing}. Among equal shards, those stay whose slot keeps as many; the others
     * fill the remaining positions.
     */
    ShardPlacement sharing(PackingState packing, Set<Integer> rejected) {
        Map<String, List<Integer>> placed = new LinkedHashMap<>();
        for (int job = 0; job < classes.jobs(); job++) {
            if (!rejected.contains(job)) {
                Integer[] own = new Integer[classes.demand(job).shardSeconds().size()];
                for (int kind = classes.first(job); kind < classes.first(job + 1); kind++) {
                    number(kind, packing.places(kind), own);
                }
                placed.put(classes.demand(job).job(), List.of(own));
            }
        }
        return new ShardPlacement(placed);
    }

    private void number(int kind, int[] left, Integer[] own) {
        List<Integer> others = new ArrayList<>();
        for (int shard : classes.shards(kind)) {
            int home = of(kind, shard);
            if (home != PackingState.NOWHERE && home < left.length && left[home] > 0) {
                left[home]--;
                own[shard] = home;
            } else {
                others.add(shard);
            }
        }
        int slot = 0;
        for (int shard : others) {
            while (left[slot] == 0) {
                slot++;
            }
            left[slot]--;
            own[shard] = slot;
        }
    }
}
