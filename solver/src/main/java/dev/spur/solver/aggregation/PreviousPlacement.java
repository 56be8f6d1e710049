package dev.spur.solver.aggregation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Where shards lay before.
 *
 * @param before where they lay
 * @param kinds the shards that are asked for now
 * @param slots how many slots there are now
 */
record PreviousPlacement(ShardPlacement before, ShardClasses kinds, int slots) {
    /** Where a shard lay; {@link PackingState#NOWHERE} if it is new, or its slot is gone. */
    int of(int kind, int shard) {
        List<Integer> known =
                before.slots().getOrDefault(kinds.demand(kinds.job(kind)).job(), List.of());
        boolean there = shard < known.size() && known.get(shard) < slots;
        return there ? known.get(shard) : PackingState.NOWHERE;
    }

    /**
     * Who lies where by {@code packing}. Of equal shards, those stay whose slot keeps as many; the others fill up what
     * is left.
     */
    ShardPlacement sharing(PackingState packing, Set<Integer> refused) {
        Map<String, List<Integer>> placed = new LinkedHashMap<>();
        for (int job = 0; job < kinds.jobs(); job++) {
            if (!refused.contains(job)) {
                Integer[] own = new Integer[kinds.demand(job).shardSeconds().size()];
                for (int kind = kinds.first(job); kind < kinds.first(job + 1); kind++) {
                    number(kind, packing.places(kind), own);
                }
                placed.put(kinds.demand(job).job(), List.of(own));
            }
        }
        return new ShardPlacement(placed);
    }

    private void number(int kind, int[] left, Integer[] own) {
        List<Integer> others = new ArrayList<>();
        for (int shard : kinds.shards(kind)) {
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
