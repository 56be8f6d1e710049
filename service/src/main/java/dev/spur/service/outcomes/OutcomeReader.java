package dev.spur.service.outcomes;

import dev.spur.model.history.CapacityChange;
import dev.spur.service.database.Rows;
import dev.spur.service.outcomes.OccupancyStore.HeldSlots;
import dev.spur.service.outcomes.OutcomeReport.SlotUtilization;
import dev.spur.service.outcomes.OutcomeReport.TenantOutcome;
import dev.spur.service.security.AccessScope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

    /**
     * Returns the utilization of each type. Its first recorded number of slots also counts before the record, as far as
     * jobs held slots then, so that all held slots count.
     */
    private List<SlotUtilization> utilization(AccessScope reach, TimeRange range) {
        Map<String, TypeHours> types = new TreeMap<>();
        for (HeldSlots held : occupancy.heldSlots(reach, range)) {
            double begin = Math.max(range.sinceSeconds(), held.begin());
            types.computeIfAbsent(held.acceleratorType(), type -> new TypeHours())
                    .add(held, begin, range.untilSeconds());
        }
        Map<String, CapacityChange> last = new TreeMap<>();
        for (CapacityChange change : capacities.between(range.since(), range.until())) {
            double at = Math.max(range.sinceSeconds(), Rows.seconds(change.at()));
            TypeHours hours = types.computeIfAbsent(change.acceleratorType(), type -> new TypeHours());
            CapacityChange before = last.put(change.acceleratorType(), change);
            hours.addTotal(before == null ? change.slots() : before.slots(), at);
        }
        last.forEach((type, change) ->
                Objects.requireNonNull(types.get(type)).addTotal(change.slots(), range.untilSeconds()));
        Map<String, @Nullable Double> gpuUtilizations = new HashMap<>();
        gpus.means(range, range.seconds())
                .forEach(use -> gpuUtilizations.put(use.acceleratorType(), use.utilization()));
        List<SlotUtilization> rows = new ArrayList<>();
        types.forEach((type, hours) -> rows.add(hours.row(type, gpuUtilizations.get(type))));
        return rows.stream()
                .filter(row -> row.totalSlotHours() > 0 || row.heldSlotHours() > 0)
                .toList();
    }

    /** Slot-hours of one type. */
    private static final class TypeHours {
        /** Start of the first held slots, then the time up to which the total is counted. */
        private double countedUntil = Double.POSITIVE_INFINITY;

        private double total;
        private double held;
        private double useful;

        void addTotal(int slots, double until) {
            total += slots * Math.max(0, until - countedUntil) / HOUR;
            countedUntil = until;
        }

        void add(HeldSlots slots, double begin, double until) {
            double end = Math.min(slots.end(), until);
            countedUntil = Math.min(countedUntil, begin);
            held += slots.slots() * Math.max(0, end - begin) / HOUR;
            useful += slots.slots() * Math.max(0, end - Math.max(begin, slots.usefulFrom())) / HOUR;
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
