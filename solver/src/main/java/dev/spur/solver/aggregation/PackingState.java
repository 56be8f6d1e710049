package dev.spur.solver.aggregation;

import dev.spur.solver.aggregation.SharingLimits.Delay;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Shards on slots while they are dealt out: how busy each slot is, who waits how long for others, by how much limits
 * are exceeded and how many shards are not where they were, kept up to date with each move. Moves can be taken back.
 *
 * <p>Shards of a job that take equally long are one <em>kind</em>: it makes no difference which of them lies where.
 */
final class PackingState {
    /** Where shards are that lie on no slot. */
    static final int NOWHERE = -1;

    private static final double ROUNDING = 1e-9;
    /**
     * A slot that is too busy counts so many times as much as a job that waits too long: nothing waits on it that could
     * be waited for.
     */
    private static final double OVERLOAD = 10;

    private final SharingLimits limits;
    private final List<Double> capacities;
    private final ShardClasses kinds;
    private final List<Slot> slots = new ArrayList<>();
    private final List<List<Integer>> slotsOf = new ArrayList<>();
    /** By job, the share of its step that it waits at its worst slot. */
    private final double[] worst;

    private final Deque<Move> moves = new ArrayDeque<>();
    private double overload;
    private double tooLong;
    private double waits;
    private int waiting;
    private int displaced;

    /** Shards that went from one slot to another; either may be {@link #NOWHERE}. */
    private record Move(int kind, int from, int to, int shards) {}

    /** What lies on a slot. */
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

    PackingState(ShardClasses kinds, List<Double> capacities, SharingLimits limits) {
        this.kinds = kinds;
        this.capacities = capacities;
        this.limits = limits;
        this.worst = new double[kinds.jobs()];
        IntStream.range(0, kinds.jobs()).forEach(job -> slotsOf.add(new ArrayList<>()));
    }

    /** Puts a shard where it is at home. */
    void settle(int kind, int slot) {
        slot(slot).home[kind]++;
        change(kind, slot, 1);
    }

    /** Moves {@code shards} of a kind; either slot may be {@link #NOWHERE}. */
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

    /** How many moves were made; {@link #backTo} goes back to it. */
    int mark() {
        return moves.size();
    }

    /** Takes back what was moved since {@code mark}. */
    void backTo(int mark) {
        while (moves.size() > mark) {
            Move last = moves.pop();
            apply(last.kind(), last.to(), last.from(), last.shards());
        }
    }

    /** By how much limits are exceeded in all; 0 if they are kept. */
    double excess() {
        double tooMuch = waits - limits.meanLoss() * waiting;
        return (overload > ROUNDING ? OVERLOAD * overload : 0)
                + (tooLong > ROUNDING ? tooLong : 0)
                + (tooMuch > ROUNDING ? tooMuch : 0);
    }

    /** Sum over the jobs of the share of its step that each waits for others at its worst slot. */
    double waits() {
        return waits;
    }

    /** Shards that are not at home, of those that have one. */
    int displaced() {
        return displaced;
    }

    /** The share of its step that {@code job} waits for others at its worst slot. */
    double worst(int job) {
        return worst[job];
    }

    /** Shards of a kind on {@code slot}. */
    int shards(int kind, int slot) {
        return slot < slots.size() ? slots.get(slot).shards[kind] : 0;
    }

    /** Slots with a number below this may have something on them; those from it on are empty. */
    int opened() {
        return slots.size();
    }

    boolean isEmpty(int slot) {
        return slot >= slots.size() || slots.get(slot).residents.isEmpty();
    }

    /** Share of its time that {@code slot} is busy. */
    double load(int slot) {
        return slot < slots.size() ? slots.get(slot).load : 0;
    }

    double capacity(int slot) {
        return capacities.get(slot);
    }

    /** Jobs with something on {@code slot}. */
    List<Integer> residents(int slot) {
        return slots.get(slot).residents;
    }

    /**
     * How much {@code slot} does to exceed limits: what is too busy there, and the waits of those for whom it is the
     * worst.
     */
    double pressure(int slot) {
        Slot there = slots.get(slot);
        boolean mean = waits > limits.meanLoss() * waiting + ROUNDING;
        double pressure = OVERLOAD * Math.max(0, there.load - limits.utilisation());
        for (int job : there.residents) {
            double loss = loss(there, job);
            boolean counts = loss >= worst[job] && (mean || loss > limits.loss() + ROUNDING);
            pressure += counts ? loss : 0;
        }
        return pressure;
    }

    private Slot slot(int number) {
        while (slots.size() <= number) {
            slots.add(new Slot(capacities.get(slots.size()), kinds.count(), kinds.jobs()));
        }
        return slots.get(number);
    }

    private void change(int kind, int number, int shards) {
        Slot slot = slot(number);
        int job = kinds.job(kind);
        overload -= Math.max(0, slot.load - limits.utilisation());
        displaced -= Math.max(0, slot.home[kind] - slot.shards[kind]);
        slot.shards[kind] += shards;
        displaced += Math.max(0, slot.home[kind] - slot.shards[kind]);
        boolean was = slot.busySeconds[job] > 0;
        slot.busySeconds[job] = kinds.seconds(job, slot.shards) / slot.capacity;
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
        overload += Math.max(0, slot.load - limits.utilisation());
        slot.residents.forEach(this::refresh);
    }

    private void sumUp(Slot slot) {
        slot.load = 0;
        slot.delay = 0;
        for (int job : slot.residents) {
            slot.load += slot.busySeconds[job] / kinds.step(job);
            slot.delay += delay(slot, job);
        }
    }

    private double delay(Slot slot, int job) {
        Delay delay = limits.delay();
        return delay.of(slot.busySeconds[job], kinds.step(job));
    }

    private double loss(Slot slot, int job) {
        // the difference of two sums of the same numbers may be a little below 0
        return slot.residents.size() == 1 ? 0 : Math.max(0, slot.delay - delay(slot, job)) / kinds.step(job);
    }

    private void refresh(int job) {
        double now = 0;
        for (int number : slotsOf.get(job)) {
            now = Math.max(now, loss(slots.get(number), job));
        }
        double before = worst[job];
        if (now != before) {
            tooLong += Math.max(0, now - limits.loss()) - Math.max(0, before - limits.loss());
            waits += now - before;
            waiting += (now > 0 ? 1 : 0) - (before > 0 ? 1 : 0);
            worst[job] = now;
        }
    }

    /** By slot, how many shards of {@code kind} lie there. */
    int[] places(int kind) {
        int[] places = new int[slots.size()];
        Arrays.setAll(places, slot -> slots.get(slot).shards[kind]);
        return places;
    }
}
