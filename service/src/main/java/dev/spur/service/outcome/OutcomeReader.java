package dev.spur.service.outcome;

import dev.spur.service.database.Rows;
import dev.spur.service.outcome.CapacityStore.Capacity;
import dev.spur.service.outcome.OccupancyStore.HeldSlots;
import dev.spur.service.outcome.OutcomeReport.SlotUtilization;
import dev.spur.service.outcome.OutcomeReport.TenantOutcome;
import dev.spur.service.security.AccessScope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Transactional;

/** Reads the outcomes of a time range, as of one moment. */
@Component
class OutcomeReader {
    private static final double HOUR = 3600;

    private final OutcomeStore outcomes;
    private final OccupancyStore occupancy;
    private final CapacityStore capacities;
    private final GpuUsageStore gpus;

    OutcomeReader(OutcomeStore outcomes, OccupancyStore occupancy, CapacityStore capacities, GpuUsageStore gpus) {
        this.outcomes = outcomes;
        this.occupancy = occupancy;
        this.capacities = capacities;
        this.gpus = gpus;
    }

    @Transactional(readOnly = true, isolation = Isolation.REPEATABLE_READ)
    public OutcomeReport read(AccessScope reach, TimeRange range) {
        List<TenantOutcome> rows = outcomes.between(reach, range);
        return new OutcomeReport(
                range.since(), range.until(), rows.get(0), rows.subList(1, rows.size()), utilization(reach, range));
    }

    /** Returns the utilization of each type whose number of slots is known for a part of the range. */
    private List<SlotUtilization> utilization(AccessScope reach, TimeRange range) {
        Map<String, TypeHours> types = new TreeMap<>();
        Map<String, Capacity> last = new TreeMap<>();
        for (Capacity change : capacities.between(range.since(), range.until())) {
            double at = Math.max(range.sinceSeconds(), Rows.seconds(change.at()));
            TypeHours hours = types.computeIfAbsent(change.acceleratorType(), type -> new TypeHours(at));
            Capacity before = last.put(change.acceleratorType(), change);
            hours.addTotal(before == null ? 0 : before.slots(), at);
        }
        last.forEach((type, change) -> {
            TypeHours hours = types.get(type);
            if (hours != null) {
                hours.addTotal(change.slots(), range.untilSeconds());
            }
        });
        for (HeldSlots held : occupancy.heldSlots(reach, range)) {
            TypeHours hours = types.get(held.acceleratorType());
            if (hours != null) {
                hours.add(held, range.untilSeconds());
            }
        }
        Map<String, @Nullable Double> gpuUtilizations = new HashMap<>();
        gpus.means(range, range.seconds())
                .forEach(use -> gpuUtilizations.put(use.acceleratorType(), use.utilization()));
        List<SlotUtilization> rows = new ArrayList<>();
        types.forEach((type, hours) -> rows.add(hours.row(type, gpuUtilizations.get(type))));
        return rows.stream()
                .filter(row -> row.totalSlotHours() > 0 || row.heldSlotHours() > 0)
                .toList();
    }

    /** Slot-hours of one type since the first record of its number of slots. */
    private static final class TypeHours {
        private final double from;
        private double countedUntil;
        private double total;
        private double held;
        private double useful;

        TypeHours(double from) {
            this.from = from;
            this.countedUntil = from;
        }

        void addTotal(int slots, double until) {
            total += slots * (until - countedUntil) / HOUR;
            countedUntil = until;
        }

        void add(HeldSlots slots, double until) {
            double end = Math.min(slots.end(), until);
            held += slots.slots() * Math.max(0, end - Math.max(from, slots.begin())) / HOUR;
            useful += slots.slots() * Math.max(0, end - Math.max(from, slots.usefulFrom())) / HOUR;
        }

        SlotUtilization row(String type, @Nullable Double gpuUtilization) {
            return new SlotUtilization(
                    type,
                    total,
                    held,
                    useful,
                    total == 0 ? null : Double.valueOf(held / total),
                    total == 0 ? null : Double.valueOf(useful / total),
                    gpuUtilization);
        }
    }
}
