package dev.spur.policies.determined;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Weighted max-min offers of slots to groups. Each unsatisfied group in turn gets its weight's share of the remaining
 * slots, at least 1. When no slot remains, the youngest group that cannot use its offer returns it and is disabled;
 * otherwise gangs would deadlock.
 *
 * <p>Two differences from the code of Determined 0.38, both according to its documentation: slots of pinned jobs count
 * against a group's first offers, and "youngest" refers to groups.
 */
final class MaxMinAllocation {
    private final List<FairShareGroup> orderedGroups;
    private final List<FairShareGroup> disabledGroups = new ArrayList<>();
    private final Map<FairShareGroup, Integer> beforehand = new HashMap<>();
    private int left;

    private MaxMinAllocation(List<FairShareGroup> groups, int slots) {
        orderedGroups = groups.stream()
                .sorted(Comparator.comparingInt(FairShareGroup::demand).thenComparingDouble(FairShareGroup::arrival))
                .toList();
        left = slots - groups.stream().mapToInt(FairShareGroup::pinnedSlots).sum();
        groups.forEach(group -> beforehand.put(group, group.pinnedSlots()));
    }

    /** Offers {@code slots}, which include those of pinned jobs. */
    static void make(List<FairShareGroup> groups, int slots) {
        MaxMinAllocation offers = new MaxMinAllocation(groups, slots);
        do {
            while (offers.left > 0 && offers.offerRound()) {
                // until no slot remains or no group wants more
            }
        } while (offers.left <= 0 && offers.disableYoungest());
    }

    /** Offers each unsatisfied group its share of the remaining slots; returns whether any offer changed. */
    private boolean offerRound() {
        int before = left;
        boolean changed = false;
        for (FairShareGroup group : orderedGroups) {
            double weights = orderedGroups.stream()
                    .filter(this::wantsMore)
                    .mapToDouble(FairShareGroup::weight)
                    .sum();
            if (wantsMore(group)) {
                int share = Math.max(1, (int) Math.floor(before * group.weight() / weights));
                int had = Math.min(share, beforehand.getOrDefault(group, 0));
                beforehand.merge(group, -had, Integer::sum);
                int more = Math.min(Math.min(share - had, left), group.demand() - group.offeredSlots());
                group.offer(more);
                left -= more;
                changed |= more > 0 || had > 0;
            }
        }
        return changed;
    }

    private boolean wantsMore(FairShareGroup group) {
        return !disabledGroups.contains(group) && !group.isSatisfied();
    }

    private boolean disableYoungest() {
        FairShareGroup youngest = null;
        for (FairShareGroup group : orderedGroups) {
            boolean isOut = wantsMore(group) && group.isStuck() && group.offeredSlots() > group.pinnedSlots();
            if (isOut && (youngest == null || group.arrival() > youngest.arrival())) {
                youngest = group;
            }
        }
        if (youngest == null) {
            return false;
        }
        int back = youngest.offeredSlots() - youngest.pinnedSlots();
        youngest.offer(-back);
        left += back;
        disabledGroups.add(youngest);
        return true;
    }
}
