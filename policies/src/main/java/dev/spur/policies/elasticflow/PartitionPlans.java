package dev.spur.policies.elasticflow;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Plans of all jobs of a partition, and the remaining free slots. */
final class PartitionPlans {
    private final double now;
    private final Timeline freeTimeline;
    private final Map<DeadlineDemand, List<SlotInterval>> slotIntervals = new LinkedHashMap<>();

    /**
     * Creates empty plans.
     *
     * @param slots slots of the partition
     */
    PartitionPlans(double now, int slots) {
        this.now = now;
        this.freeTimeline = new Timeline(now, slots);
    }

    /** Returns true if each of {@code demands} gets its share in the order of deadlines. */
    static boolean areFeasible(double now, int slots, List<DeadlineDemand> demands) {
        PartitionPlans plans = new PartitionPlans(now, slots);
        return byDeadline(demands).stream().allMatch(plans::add);
    }

    /** Adds the share of each of {@code demands} in the order of deadlines. */
    void addByDeadline(List<DeadlineDemand> demands) {
        byDeadline(demands).forEach(this::add);
    }

    /** Keeps {@code intervals}; if it no longer suffices, replaces it by the plan with the earliest end. */
    void keep(DeadlineDemand demand, List<SlotInterval> intervals) {
        double planned = intervals.stream()
                .mapToDouble(interval -> demand.speed(interval.slots()) * (interval.end() - interval.start()))
                .sum();
        boolean suffices = planned >= demand.work() * (1 - 1e-6);
        put(demand, suffices ? intervals : demand.soonest(freeTimeline, now));
    }

    /** Returns all plans by demand. */
    Map<DeadlineDemand, List<SlotInterval>> all() {
        return slotIntervals;
    }

    private static List<DeadlineDemand> byDeadline(List<DeadlineDemand> demands) {
        return demands.stream()
                .sorted(Comparator.comparingDouble(DeadlineDemand::deadline))
                .toList();
    }

    /** Adds the share of {@code demand}; returns false without a change if there is none. */
    boolean add(DeadlineDemand demand) {
        Optional<List<SlotInterval>> intervals = demand.share(freeTimeline, now, demand.work());
        intervals.ifPresent(own -> put(demand, own));
        return intervals.isPresent();
    }

    private void put(DeadlineDemand demand, List<SlotInterval> intervals) {
        slotIntervals.put(demand, intervals);
        freeTimeline.reserve(intervals);
    }

    /** Returns the slots of each job now; 0 for jobs whose interval starts later. */
    Map<DeadlineDemand, Integer> slotsNow() {
        Map<DeadlineDemand, Integer> slots = new LinkedHashMap<>();
        slotIntervals.forEach((demand, intervals) -> slots.put(demand, slotsNow(intervals)));
        return slots;
    }

    private int slotsNow(List<SlotInterval> intervals) {
        return intervals.isEmpty() || intervals.get(0).start() > now
                ? 0
                : intervals.get(0).slots();
    }

    /**
     * Assigns slots that are free now to the jobs for which one more slot now costs the least slot-seconds in total;
     * jobs without slots come first. A job takes its next level until the next change of any plan, and its share for
     * the remaining work from then on.
     */
    void assignSurplus() {
        Optional<Growth> best = cheapest();
        while (best.isPresent()) {
            Growth growth = best.get();
            freeTimeline.release(slotIntervals.getOrDefault(growth.demand(), List.of()));
            freeTimeline.reserve(growth.intervals());
            slotIntervals.put(growth.demand(), growth.intervals());
            best = cheapest();
        }
    }

    /**
     * A step to the next level of a job.
     *
     * @param begins true if the job has no slots now
     * @param price additional slot-seconds in total, for each additional slot now
     */
    private record Growth(DeadlineDemand demand, List<SlotInterval> intervals, boolean begins, double price) {}

    private Optional<Growth> cheapest() {
        List<Growth> steps = new ArrayList<>();
        slotIntervals.forEach((demand, intervals) -> grow(demand, intervals).ifPresent(grown -> {
            int had = slotsNow(intervals);
            double more = slotSeconds(demand, grown) - slotSeconds(demand, intervals);
            double price = more / (slotsNow(grown) - had);
            steps.add(new Growth(demand, grown, had == 0, price));
        }));
        return steps.stream()
                .min(Comparator.comparing((Growth step) -> !step.begins()).thenComparingDouble(Growth::price));
    }

    /** Returns the slot-seconds of {@code intervals}, including those of a restart now. */
    private double slotSeconds(DeadlineDemand demand, List<SlotInterval> intervals) {
        int slots = slotsNow(intervals);
        return intervals.stream().mapToDouble(SlotInterval::slotSeconds).sum() + slots * demand.restartSeconds(slots);
    }

    private Optional<List<SlotInterval>> grow(DeadlineDemand demand, List<SlotInterval> intervals) {
        int had = slotsNow(intervals);
        int next = demand.levelAbove(had);
        if (next == 0 || demand.speed(next) <= demand.speed(had)) {
            return Optional.empty();
        }
        double alone = now + demand.wholeRounds(demand.work() / demand.speed(next));
        double until = Math.min(nextChange(), alone);
        freeTimeline.release(intervals);
        try {
            if (freeTimeline.min(now, until) < next) {
                return Optional.empty();
            }
            double done = demand.speed(next) * Math.max(0, until - now - demand.restartSeconds(next));
            SlotInterval firstInterval = new SlotInterval(now, until, next);
            return demand.share(freeTimeline, until, demand.work() - done)
                    .map(restIntervals -> prepend(firstInterval, restIntervals));
        } finally {
            freeTimeline.reserve(intervals);
        }
    }

    private static List<SlotInterval> prepend(SlotInterval firstInterval, List<SlotInterval> restIntervals) {
        List<SlotInterval> all = new ArrayList<>(List.of(firstInterval));
        all.addAll(restIntervals);
        return all;
    }

    /** Returns the time of the next change of any plan; infinite if none changes. */
    private double nextChange() {
        double next = Double.POSITIVE_INFINITY;
        for (List<SlotInterval> intervals : slotIntervals.values()) {
            for (SlotInterval interval : intervals) {
                next = interval.start() > now ? Math.min(next, interval.start()) : next;
                next = Math.min(next, interval.end());
            }
        }
        return next;
    }
}
