package dev.spur.solver.aggregation;

import java.util.LinkedHashMap;
import java.util.Map;

/** An aggregation slot, or a part of one, while shards are dealt out. */
final class SharedSlot {
    private static final double ROUNDING = 1e-9;

    /** What one job has here: seconds in each of its steps. */
    private record Resident(double busySeconds, double stepSeconds, int shards) {
        double load() {
            return busySeconds / stepSeconds;
        }
    }

    private final SharingLimits limits;
    private final double capacity;
    private final Map<String, Resident> residents = new LinkedHashMap<>();

    /** @param capacity aggregation slots that it has: with half of one, everything takes twice as long */
    SharedSlot(SharingLimits limits, double capacity) {
        this.limits = limits;
        this.capacity = capacity;
    }

    boolean isEmpty() {
        return residents.isEmpty();
    }

    /** Share of its time that it is busy. */
    double utilisation() {
        return residents.values().stream().mapToDouble(Resident::load).sum();
    }

    /** Share of its step that {@code job} waits here for others; 0 if it has nothing here. */
    double loss(String job) {
        Resident own = residents.get(job);
        return own == null ? 0 : (allDelays() - delay(own)) / own.stepSeconds();
    }

    /** True if with one more shard everybody here stays within the limits. */
    boolean holds(AggregationDemand demand, double shardSeconds) {
        if (utilisation() + shardSeconds / capacity / demand.stepSeconds() > limits.utilisation() + ROUNDING) {
            return false;
        }
        add(demand, shardSeconds);
        boolean kept = isWithinLimits();
        remove(demand.job(), shardSeconds);
        return kept;
    }

    /** True if nobody here waits longer than allowed, and the slot is not too busy. */
    boolean isWithinLimits() {
        double all = allDelays();
        return utilisation() <= limits.utilisation() + ROUNDING
                && residents.values().stream()
                        .allMatch(own -> (all - delay(own)) / own.stepSeconds() <= limits.loss() + ROUNDING);
    }

    void add(AggregationDemand demand, double shardSeconds) {
        residents.merge(
                demand.job(),
                new Resident(shardSeconds / capacity, demand.stepSeconds(), 1),
                (old, more) -> new Resident(
                        old.busySeconds() + more.busySeconds(), old.stepSeconds(), old.shards() + more.shards()));
    }

    void remove(String job, double shardSeconds) {
        residents.computeIfPresent(
                job,
                (id, old) -> old.shards() == 1
                        ? null
                        : new Resident(
                                old.busySeconds() - shardSeconds / capacity, old.stepSeconds(), old.shards() - 1));
    }

    private double allDelays() {
        return residents.values().stream().mapToDouble(this::delay).sum();
    }

    private double delay(Resident resident) {
        return limits.delay().of(resident.busySeconds(), resident.stepSeconds());
    }
}
