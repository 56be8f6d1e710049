package dev.spur.solver.aggregation;

import java.util.LinkedHashMap;
import java.util.Map;

/** An aggregation slot, or a part of one, with what lies on it. */
final class SharedSlot {
    /** What one job has here: seconds in each of its steps. */
    private record Resident(double busySeconds, double stepSeconds) {
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

    /** Share of its time that it is busy. */
    double utilisation() {
        return residents.values().stream().mapToDouble(Resident::load).sum();
    }

    /** Share of its step that {@code job} waits here for others; 0 if it has nothing here. */
    double loss(String job) {
        Resident own = residents.get(job);
        return own == null ? 0 : (allDelays() - delay(own)) / own.stepSeconds();
    }

    void add(AggregationDemand demand, double shardSeconds) {
        residents.merge(
                demand.job(),
                new Resident(shardSeconds / capacity, demand.stepSeconds()),
                (old, more) -> new Resident(old.busySeconds() + more.busySeconds(), old.stepSeconds()));
    }

    private double allDelays() {
        return residents.values().stream().mapToDouble(this::delay).sum();
    }

    private double delay(Resident resident) {
        return limits.delay().of(resident.busySeconds(), resident.stepSeconds());
    }
}
