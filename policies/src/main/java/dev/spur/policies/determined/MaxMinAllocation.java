package dev.spur.policies.determined;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Offers slots to groups by weighted max-min: each unsatisfied group in turn gets its weight's share of what is left,
 * at least 1. When all is given away, the youngest group whose offer is of no use gives it back and is out, since gangs
 * would deadlock.
 *
 * <p>Differs from Determined 0.38, as its description means it: what a group was offered beforehand is taken off its
 * first offers, and "youngest" looks at the groups themselves.
 */
final class MaxMinAllocation {
    private final List<FairShareGroup> order;
    private final List<FairShareGroup> disabled = new ArrayList<>();
    private final Map<FairShareGroup, Integer> beforehand = new HashMap<>();
    private int left;

    private MaxMinAllocation(List<FairShareGroup> groups, int slots) {
        order = groups.stream()
                .sorted(Comparator.comparingInt(FairShareGroup::demand).thenComparingDouble(FairShareGroup::arrival))
                .toList();
        left = slots - groups.stream().mapToInt(FairShareGroup::untouchable).sum();
        groups.forEach(group -> beforehand.put(group, group.untouchable()));
    }

    /** Offers {@code slots}, those that untouchable jobs hold included. */
    static void make(List<FairShareGroup> groups, int slots) {
        MaxMinAllocation offers = new MaxMinAllocation(groups, slots);
        do {
            while (offers.left > 0 && offers.goRound()) {
                // until nothing is left, or nobody wants it
            }
        } while (offers.left <= 0 && offers.disableTheYoungest());
    }

    /** Offers each unsatisfied group its share of what is left; returns whether that changed anything. */
    private boolean goRound() {
        int before = left;
        boolean changed = false;
        for (FairShareGroup group : order) {
            double weights = order.stream()
                    .filter(this::wantsMore)
                    .mapToDouble(FairShareGroup::weight)
                    .sum();
            if (wantsMore(group)) {
                int share = Math.max(1, (int) Math.floor(before * group.weight() / weights));
                int had = Math.min(share, beforehand.getOrDefault(group, 0));
                beforehand.merge(group, -had, Integer::sum);
                int more = Math.min(Math.min(share - had, left), group.demand() - group.offered());
                group.offer(more);
                left -= more;
                changed |= more > 0 || had > 0;
            }
        }
        return changed;
    }

    private boolean wantsMore(FairShareGroup group) {
        return !disabled.contains(group) && !group.isSatisfied();
    }

    private boolean disableTheYoungest() {
        FairShareGroup youngest = null;
        for (FairShareGroup group : order) {
            boolean isOut = wantsMore(group) && group.isStuck() && group.offered() > group.untouchable();
            if (isOut && (youngest == null || group.arrival() > youngest.arrival())) {
                youngest = group;
            }
        }
        if (youngest == null) {
            return false;
        }
        int back = youngest.offered() - youngest.untouchable();
        youngest.offer(-back);
        left += back;
        disabled.add(youngest);
        return true;
    }
}
