package dev.spur.solver.aggregation;

import dev.spur.solver.aggregation.SharingLimits.Delay;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;

/**
 * State of a packing: utilization of each slot, stalls of each job, excess over the limits, and displaced shards. Each
 * move updates it, and moves can be undone.
 *
 * <p>Shards of a job with equal duration form one <em>class</em>: they are interchangeable.
 */
final class PackingState {
    /** Slot number of an unplaced shard. */
    static final int NOWHERE = -1;

    private static final double ROUNDING = 1e-9;
    /**
     * Maximum excess of the shards of a job on one slot over those on a slot of its own. The CPUs of the other slots
     * are counted for it anyway.
     */
    private static final double MAX_OWN_EXCESS = 0.25;
    /** Stall, in steps, that excludes a slot. */
    private static final double CROWDED = 10;

    /** Weight of an overloaded slot relative to a job that stalls too long: an overloaded slot never catches up. */
    private static final double OVERLOAD = 10;

    private final SharingLimits limits;
    private final List<Double> capacities;
    private final ShardClasses classes;
    private final List<Slot> slots = new ArrayList<>();
    private final List<List<Integer>> slotsOf = new ArrayList<>();
    /** By job, the fraction of its step that it stalls at its worst slot. */
    private final double[] worst;

    private final Deque<Move> moves = new ArrayDeque<>();
    private double overload;
    private double tooLong;
    private double waits;
    private int waiting;
    private int displaced;

    /** A move of shards between slots; either slot may be {@link #NOWHERE}. */
    private record Move(int kind, int from, int to, int shards) {}

    /** The load of a slot. */
    private static final class Slot {
        private final double capacity;
        private final int[] shards;
        private final int[] home;
        private final double[] busySeconds;
        private final List<Integer> residents = new ArrayList<>();
        private double load;
        private double delay;

        Slot(double capacity, int kinds, int jobs) {
            this.capacity = capacity;
            shards = new int[kinds];
            home = new int[kinds];
            busySeconds = new double[jobs];
        }
    }

    PackingState(ShardClasses classes, List<Double> capacities, SharingLimits limits) {
        this.classes = classes;
        this.capacities = capacities;
        this.limits = limits;
        this.worst = new double[classes.jobs()];
        IntStream.range(0, classes.jobs()).forEach(job -> slotsOf.add(new ArrayList<>()));
    }

    /** Assigns a shard to its previous slot. */
    void assignHome(int kind, int slot) {
        slot(slot).home[kind]++;
        change(kind, slot, 1);
    }

    /** Moves {@code shards} of a class; either slot may be {@link #NOWHERE}. */
    void move(int kind, int from, int to, int shards) {
        apply(kind, from, to, shards);
        moves.push(new Move(kind, from, to, shards));
    }

    private void apply(int kind, int from, int to, int shards) {
        if (from != NOWHERE) {
            change(kind, from, -shards);
        }
        if (to != NOWHERE) {
            change(kind, to, shards);
        }
    }

    /** Returns the number of moves so far, for {@link #backTo}. */
    int mark() {
        return moves.size();
    }

    /** Undoes the moves since {@code mark}. */
    void backTo(int mark) {
        while (moves.size() > mark) {
            Move last = moves.pop();
            apply(last.kind(), last.to(), last.from(), last.shards());
        }
    }

    /** Returns the total excess over the limits; 0 if all hold. */
    double excess() {
        double tooMuch = waits - limits.meanStallFraction() * waiting;
        return (overload > ROUNDING ? OVERLOAD * overload : 0)
                + (tooLong > ROUNDING ? tooLong : 0)
                + (tooMuch > ROUNDING ? tooMuch : 0);
    }

    /** Returns the sum over jobs of the fraction of the step that each stalls at its worst slot. */
    double waits() {
        return waits;
    }

    /** Returns the number of shards that are not on their previous slot, among those that have one. */
    int displacedShards() {
        return displaced;
    }

    /** Returns the fraction of its step that {@code job} stalls at its worst slot. */
    double largestLoad(int job) {
        return worst[job];
    }

    /** Returns the number of shards of a class on {@code slot}. */
    int shards(int kind, int slot) {
        return slot < slots.size() ? slots.get(slot).shards[kind] : 0;
    }

    /** Returns a slot number such that all slots from it on are empty. */
    int slotCount() {
        return slots.size();
    }

    boolean isEmpty(int slot) {
        return slot >= slots.size() || slots.get(slot).residents.isEmpty();
    }

    /** Returns the utilization of {@code slot}. */
    double load(int slot) {
        return slot < slots.size() ? slots.get(slot).load : 0;
    }

    double capacity(int slot) {
        return capacities.get(slot);
    }

    /** Returns the jobs with a shard on {@code slot}. */
    List<Integer> residents(int slot) {
        return slots.get(slot).residents;
    }

    /**
     * Returns the contribution of {@code slot} to the excess: its overload, and the stalls of the jobs whose worst slot
     * it is.
     */
    double pressure(int slot) {
        Slot there = slots.get(slot);
        boolean mean = waits > limits.meanStallFraction() * waiting + ROUNDING;
        double pressure = OVERLOAD * Math.max(0, there.load - limits.utilization());
        for (int job : there.residents) {
            double loss = loss(there, job);
            boolean counts = loss >= worst[job] && (mean || loss > limits.maxStallFraction() + ROUNDING);
            pressure += counts ? loss : 0;
        }
        return pressure;
    }

    private Slot slot(int number) {
        while (slots.size() <= number) {
            slots.add(new Slot(capacities.get(slots.size()), classes.count(), classes.jobs()));
        }
        return slots.get(number);
    }

    private void change(int kind, int number, int shards) {
        Slot slot = slot(number);
        int job = classes.job(kind);
        overload -= Math.max(0, slot.load - limits.utilization());
        displaced -= Math.max(0, slot.home[kind] - slot.shards[kind]);
        slot.shards[kind] += shards;
        displaced += Math.max(0, slot.home[kind] - slot.shards[kind]);
        boolean was = slot.busySeconds[job] > 0;
        slot.busySeconds[job] = classes.seconds(job, slot.shards) / slot.capacity;
        boolean is = slot.busySeconds[job] > 0;
        if (is && !was) {
            slot.residents.add(job);
            slotsOf.get(job).add(number);
        } else if (was && !is) {
            slot.residents.remove((Integer) job);
            slotsOf.get(job).remove((Integer) number);
            refresh(job);
        }
        sumUp(slot);
        overload += Math.max(0, slot.load - limits.utilization());
        slot.residents.forEach(this::refresh);
    }

    private void sumUp(Slot slot) {
        slot.load = 0;
        slot.delay = 0;
        for (int job : slot.residents) {
            slot.load += slot.busySeconds[job] / classes.step(job);
            slot.delay += delay(slot, job);
        }
    }

    private double delay(Slot slot, int job) {
        Delay delay = limits.delay();
        return delay.of(slot.busySeconds[job], classes.step(job));
    }

    private double loss(Slot slot, int job) {
        double own = slot.busySeconds[job] - classes.demand(job).ownBurstSeconds();
        // The difference of two sums of the same numbers may be slightly below 0.
        double others = slot.residents.size() == 1 ? 0 : Math.max(0, slot.delay - delay(slot, job));
        double loss = (others + (own > ROUNDING ? own : 0)) / classes.step(job);
        return own > MAX_OWN_EXCESS * classes.demand(job).ownBurstSeconds() ? CROWDED + loss : loss;
    }

    private void refresh(int job) {
        double now = 0;
        for (int number : slotsOf.get(job)) {
            now = Math.max(now, loss(slots.get(number), job));
        }
        double before = worst[job];
        if (now != before) {
            tooLong += Math.max(0, now - limits.maxStallFraction()) - Math.max(0, before - limits.maxStallFraction());
            waits += now - before;
            waiting += (now > 0 ? 1 : 0) - (before > 0 ? 1 : 0);
            worst[job] = now;
        }
    }

    /** Returns by slot the number of shards of {@code kind}. */
    int[] places(int kind) {
        int[] places = new int[slots.size()];
        Arrays.setAll(places, slot -> slots.get(slot).shards[kind]);
        return places;
    }
}
