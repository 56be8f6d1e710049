package dev.spur.solver.aggregation;

import java.util.LinkedHashMap;
import java.util.Map;

/** An aggregation slot, or a part of one, with its load. */
final class SharedSlot {
    /** The load of one job on the slot, in seconds per step. */
    private record Resident(double busySeconds, double stepSeconds, double ownBurstSeconds) {
        double load() {
            return busySeconds / stepSeconds;
        }
    }

    private final SharingLimits limits;
    private final double capacity;
    private final Map<String, Resident> residents = new LinkedHashMap<>();

    /** @param capacity aggregation slots: with half of one, everything takes twice as long */
    SharedSlot(SharingLimits limits, double capacity) {
        this.limits = limits;
        this.capacity = capacity;
    }

    /** Returns the utilization of the slot. */
    double utilization() {
        return residents.values().stream().mapToDouble(Resident::load).sum();
    }

    /**
     * Returns the fraction of its step that {@code job} stalls here on other jobs and on more shards of its own than on
     * an aggregator of its own; 0 if it has no shard here.
     */
    double loss(String job) {
        Resident own = residents.get(job);
        return own == null
                ? 0
                : (allDelays() - delay(own) + Math.max(0, own.busySeconds() - own.ownBurstSeconds()))
                        / own.stepSeconds();
    }

    void add(AggregationDemand demand, double shardSeconds) {
        residents.merge(
                demand.job(),
                new Resident(shardSeconds / capacity, demand.stepSeconds(), demand.ownBurstSeconds()),
                (old, more) ->
                        new Resident(old.busySeconds() + more.busySeconds(), old.stepSeconds(), old.ownBurstSeconds()));
    }

    private double allDelays() {
        return residents.values().stream().mapToDouble(this::delay).sum();
    }

    private double delay(Resident resident) {
        return limits.delay().of(resident.busySeconds(), resident.stepSeconds());
    }
}
