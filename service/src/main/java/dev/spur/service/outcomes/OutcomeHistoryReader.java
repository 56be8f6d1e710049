package dev.spur.service.outcomes;

import dev.spur.model.history.CapacityChange;
import dev.spur.service.database.Rows;
import dev.spur.service.outcomes.GpuUsageStore.GpuUse;
import dev.spur.service.outcomes.OccupancyStore.HeldSlots;
import dev.spur.service.outcomes.OutcomeHistory.SlotHistory;
import dev.spur.service.security.AccessScope;
import dev.spur.service.web.contract.FieldError;
import dev.spur.service.web.contract.ProblemException;
import dev.spur.service.web.contract.ProblemType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** Reads utilization and queue over time. */
@Component
class OutcomeHistoryReader {
    private static final int MAX_STEPS = 2000;
    private static final int USUAL_STEPS = 300;
    /** Default lengths of a step, seconds. The longest is for the longest range. */
    private static final int[] USUAL_SECONDS = {10, 30, 60, 300, 900, 3600, 7200, 21_600, 86_400, 172_800};

    private final OccupancyStore occupancy;
    private final CapacityStore capacities;
    private final GpuUsageStore gpus;

    OutcomeHistoryReader(OccupancyStore occupancy, CapacityStore capacities, GpuUsageStore gpus) {
        this.occupancy = occupancy;
        this.capacities = capacities;
        this.gpus = gpus;
    }

    /**
     * Reads the history of {@code requested}, from the first time on that the database knows.
     *
     * @param stepSeconds length of a step, above 0; empty for the shortest usual one
     * @throws ProblemException 400 if the range has more than 2,000 steps
     */
    @Transactional(readOnly = true)
    public OutcomeHistory read(AccessScope reach, TimeRange requested, Optional<Integer> stepSeconds) {
        TimeRange range = occupancy.begin().map(requested::from).orElse(requested);
        int step = stepSeconds.orElseGet(() -> usual(range.seconds()));
        if (range.seconds() / step > MAX_STEPS) {
            throw ProblemException.of(
                    ProblemType.INVALID_REQUEST,
                    FieldError.inParameter(
                            "stepSeconds",
                            "must be at least %d, because a response has at most %d steps"
                                    .formatted((int) Math.ceil(range.seconds() / MAX_STEPS), MAX_STEPS)));
        }
        Map<String, TypeSums> types = new TreeMap<>();
        StepMeans running = sums(range, step);
        for (HeldSlots held : occupancy.heldSlots(reach, range)) {
            types.computeIfAbsent(held.acceleratorType(), type -> new TypeSums(range, step))
                    .add(held);
            running.add(held.begin(), held.end(), 1);
        }
        addCapacities(types, range, step);
        for (GpuUse use : gpus.means(range, step)) {
            TypeSums sums = types.get(use.acceleratorType());
            if (sums != null) {
                sums.gpus.put(use.step(), use);
            }
        }
        StepMeans active = sums(range, step);
        occupancy.active(reach, range).forEach(job -> active.add(job.begin(), job.end(), 1));
        double[] runningMeans = running.means();
        return new OutcomeHistory(
                range.since(),
                range.until(),
                step,
                times(range, step),
                list(difference(active.means(), runningMeans)),
                list(runningMeans),
                types.entrySet().stream()
                        .map(entry -> entry.getValue().history(entry.getKey(), reach.isAll()))
                        .toList());
    }

    private void addCapacities(Map<String, TypeSums> types, TimeRange range, int step) {
        Map<String, List<CapacityChange>> changes = new TreeMap<>();
        for (CapacityChange change : capacities.between(range.since(), range.until())) {
            changes.computeIfAbsent(change.acceleratorType(), type -> new ArrayList<>())
                    .add(change);
        }
        changes.forEach((type, list) -> {
            boolean existed = types.containsKey(type) || list.stream().anyMatch(change -> change.slots() > 0);
            if (existed) {
                TypeSums sums = types.computeIfAbsent(type, name -> new TypeSums(range, step));
                for (int i = 0; i < list.size(); i++) {
                    double begin = Rows.seconds(list.get(i).at());
                    sums.add(
                            list.get(i),
                            i == 0 ? Math.min(begin, sums.firstHeld) : begin,
                            i + 1 < list.size() ? list.get(i + 1).at() : range.until());
                }
            }
        });
    }

    private static int usual(double seconds) {
        return Arrays.stream(USUAL_SECONDS)
                .filter(step -> seconds / step <= USUAL_STEPS)
                .findFirst()
                .orElseThrow();
    }

    private static StepMeans sums(TimeRange range, int step) {
        return new StepMeans(range.sinceSeconds(), range.untilSeconds(), step);
    }

    private static List<Instant> times(TimeRange range, int step) {
        List<Instant> times = new ArrayList<>();
        Duration length = Duration.ofSeconds(step);
        for (Instant time = range.since(); time.isBefore(range.until()); time = time.plus(length)) {
            times.add(time);
        }
        return times;
    }

    private static double[] difference(double[] whole, double[] part) {
        double[] rest = new double[whole.length];
        Arrays.setAll(rest, i -> Math.max(0, whole[i] - part[i]));
        return rest;
    }

    private static List<Double> list(double[] values) {
        return Arrays.stream(values).map(OutcomeHistoryReader::round).boxed().toList();
    }

    /** Rounds to a millionth, so that sums of differences leave no residue. */
    private static double round(double value) {
        return Math.rint(value * 1e6) / 1e6;
    }

    /** Sums of one accelerator type. */
    private static final class TypeSums {
        private final StepMeans held;
        private final StepMeans useful;
        private final StepMeans total;
        private final StepMeans unavailable;
        /** Fraction of each step for which the capacity is known. */
        private final StepMeans known;
        /** Start of the first held slots; the first recorded capacity counts from then on. */
        private double firstHeld = Double.POSITIVE_INFINITY;
        /** Use of the GPUs by step. */
        private final Map<Integer, GpuUse> gpus = new HashMap<>();

        TypeSums(TimeRange range, int step) {
            held = sums(range, step);
            useful = sums(range, step);
            total = sums(range, step);
            unavailable = sums(range, step);
            known = sums(range, step);
        }

        void add(HeldSlots slots) {
            firstHeld = Math.min(firstHeld, slots.begin());
            held.add(slots.begin(), slots.end(), slots.slots());
            useful.add(slots.usefulFrom(), slots.end(), slots.slots());
        }

        void add(CapacityChange change, double begin, Instant until) {
            double end = Rows.seconds(until);
            total.add(begin, end, change.slots());
            unavailable.add(begin, end, change.unavailable());
            known.add(begin, end, 1);
        }

        SlotHistory history(String type, boolean showsFree) {
            double[] heldMeans = held.means();
            double[] knownMeans = known.means();
            List<@Nullable Double> totals = perKnown(total.means(), knownMeans);
            List<@Nullable Double> unavailables = perKnown(unavailable.means(), knownMeans);
            List<@Nullable Double> free = new ArrayList<>();
            for (int i = 0; i < heldMeans.length; i++) {
                Double all = totals.get(i);
                Double closed = unavailables.get(i);
                free.add(
                        all == null || closed == null || !showsFree
                                ? null
                                : Double.valueOf(round(Math.max(0, all - closed - heldMeans[i]))));
            }
            return new SlotHistory(
                    type,
                    totals,
                    list(heldMeans),
                    list(useful.means()),
                    unavailables,
                    free,
                    gpus(heldMeans.length, GpuUse::utilization),
                    gpus(heldMeans.length, GpuUse::memoryUsedGiB),
                    gpus(heldMeans.length, GpuUse::powerWatts));
        }

        private List<@Nullable Double> gpus(int steps, Function<GpuUse, @Nullable Double> value) {
            List<@Nullable Double> values = new ArrayList<>();
            for (int i = 0; i < steps; i++) {
                GpuUse use = gpus.get(i);
                values.add(use == null ? null : value.apply(use));
            }
            return values;
        }

        private static List<@Nullable Double> perKnown(double[] means, double[] known) {
            List<@Nullable Double> values = new ArrayList<>();
            for (int i = 0; i < means.length; i++) {
                values.add(known[i] < 1e-9 ? null : Double.valueOf(round(means[i] / known[i])));
            }
            return values;
        }
    }
}
