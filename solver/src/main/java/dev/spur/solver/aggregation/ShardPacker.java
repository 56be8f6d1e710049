package dev.spur.solver.aggregation;

import dev.spur.model.Checks;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Deals shards out to aggregation slots: what fits stays where it is; the rest goes, the busiest shard first, to the
 * open slot where it makes jobs wait least, if all limits are kept then, or opens a slot; then slots are given up as
 * long as the shards of the least busy one find room elsewhere, for which others may have to {@link LocalSearchRepair
 * move}, but not many.
 *
 * <p>Source: the problem and its shared, elastic service are those of AutoPS (arXiv 2204.03211); the rule of assignment
 * and the limits are a reconstruction, since the paper does not print them.
 */
public final class ShardPacker {
    /** Moves that a search for a packing within the limits may make. */
    private static final int STEPS = 40;
    /** Moves that all searches of a round may look at. */
    private static final long LOOKS = 300_000;
    /**
     * Shards that may leave their slots so that one slot becomes free: moving more costs more than the slot is worth.
     */
    private static final int MOST_MOVES = 64;

    private final SharingLimits limits;
    private final List<Double> capacities;
    private final PreviousPlacement homes;
    private final ShardClasses kinds;
    private final PackingState packing;
    private final LocalSearchRepair mending;
    private final BitSet open = new BitSet();
    private final Set<Integer> refused = new TreeSet<>();

    /**
     * What came out.
     *
     * @param sharing where the shards lie
     * @param refused jobs for whose shards there was no room, in the order of the demands; none of their shards lies
     *     anywhere
     * @param moved shards that lay elsewhere before
     * @param worstLoss by job, the share of its step that it waits for others at its worst slot
     */
    public record Result(ShardPlacement sharing, List<String> refused, int moved, Map<String, Double> worstLoss) {
        public Result {
            refused = Checks.copy(refused);
            worstLoss = Checks.copy(worstLoss);
        }
    }

    private ShardPacker(
            ShardPlacement before, List<AggregationDemand> demands, List<Double> capacities, SharingLimits limits) {
        this.limits = limits;
        this.capacities = capacities;
        this.kinds = new ShardClasses(demands);
        this.homes = new PreviousPlacement(before, kinds, capacities.size());
        this.packing = new PackingState(kinds, capacities, limits);
        this.mending = new LocalSearchRepair(packing, kinds, LOOKS);
    }

    /**
     * Deals out all shards of {@code demands} to whole slots.
     *
     * @param before where shards lie now; jobs that ask no more leave
     * @param mostSlots slots that there are, at least 0
     * @throws IllegalArgumentException if a job asks twice
     */
    public static Result arrange(
            ShardPlacement before, List<AggregationDemand> demands, int mostSlots, SharingLimits limits) {
        Checks.atLeast("mostSlots", mostSlots, 0);
        return arrange(before, demands, Collections.nCopies(mostSlots, 1.0), limits);
    }

    /**
     * Deals out all shards of {@code demands}.
     *
     * @param before where shards lie now; jobs that ask no more leave
     * @param capacities of each slot how much of a whole one it is, above 0
     * @throws IllegalArgumentException if a job asks twice
     */
    public static Result arrange(
            ShardPlacement before, List<AggregationDemand> demands, List<Double> capacities, SharingLimits limits) {
        capacities.forEach(capacity -> Checks.positive("capacity", capacity));
        Set<String> known = new HashSet<>();
        demands.forEach(demand -> Checks.require(known.add(demand.job()), "job %s asks twice", demand.job()));
        ShardPacker sharer = new ShardPacker(before, demands, capacities, limits);
        sharer.keep();
        sharer.placeTheRest();
        sharer.giveUpSlots();
        ShardPlacement after = sharer.homes.sharing(sharer.packing, sharer.refused);
        return new Result(after, sharer.refused(), before.movedTo(after), sharer.losses());
    }

    /** Fewest slots that could do it if shards were sand and nobody minded waiting. */
    public static int lowerBound(List<AggregationDemand> demands, SharingLimits limits) {
        double load = demands.stream().mapToDouble(AggregationDemand::load).sum();
        return (int) Math.ceil(load / limits.utilisation() - 1e-9);
    }

    /** Leaves shards where they lie; where that breaks a limit by now, some move, or the busiest have to go. */
    private void keep() {
        for (int kind = 0; kind < kinds.count(); kind++) {
            for (int shard : kinds.shards(kind)) {
                int slot = homes.of(kind, shard);
                if (slot != PackingState.NOWHERE) {
                    packing.settle(kind, slot);
                    open.set(slot);
                }
            }
        }
        int mark = packing.mark();
        if (!mending.mend(open, STEPS)) {
            packing.backTo(mark);
            while (packing.excess() > 0) {
                evict();
            }
        }
    }

    /** Takes the busiest shard off the slot that does most to exceed limits. */
    private void evict() {
        int slot = open.stream()
                .boxed()
                .max(Comparator.comparingDouble(packing::pressure))
                .orElseThrow();
        int busiest = IntStream.range(0, kinds.count())
                .filter(kind -> packing.shards(kind, slot) > 0)
                .boxed()
                .max(Comparator.comparingDouble(kinds::load))
                .orElseThrow();
        packing.move(busiest, slot, PackingState.NOWHERE, 1);
    }

    /** Places shards that lie nowhere, the busiest first; a job for one of which there is no room is refused. */
    private void placeTheRest() {
        List<Integer> order = IntStream.range(0, kinds.count())
                .boxed()
                .sorted(Comparator.comparingDouble(kinds::load).reversed())
                .toList();
        openAsManyAsTheLoadNeeds();
        order.forEach(this::place);
    }

    private int homeless(int kind) {
        return kinds.shards(kind).size() - IntStream.of(packing.places(kind)).sum();
    }

    /**
     * Places all shards of a kind that lie nowhere; when a slot is opened for one of them, all of them choose again.
     */
    private void place(int kind) {
        int mark = packing.mark();
        for (int left = homeless(kind); left > 0 && !refused.contains(kinds.job(kind)); left--) {
            int slot = mending.best(kind, open);
            int before = packing.mark();
            if (slot != PackingState.NOWHERE) {
                packing.move(kind, PackingState.NOWHERE, slot, 1);
            }
            if (slot == PackingState.NOWHERE || packing.excess() > 0) {
                packing.backTo(before);
                int empty = empty(kind);
                if (empty == PackingState.NOWHERE) {
                    refuse(kinds.job(kind));
                } else {
                    open.set(empty);
                    packing.backTo(mending.isTired() ? before : mark);
                    left = homeless(kind) + 1;
                }
            }
        }
    }

    private void openAsManyAsTheLoadNeeds() {
        double load = IntStream.range(0, kinds.jobs())
                .mapToDouble(job -> kinds.demand(job).load())
                .sum();
        double room = open.stream()
                .mapToDouble(slot -> limits.utilisation() * packing.capacity(slot))
                .sum();
        for (int slot = 0; slot < capacities.size() && room < load - 1e-9; slot++) {
            if (!open.get(slot)) {
                open.set(slot);
                room += limits.utilisation() * packing.capacity(slot);
            }
        }
    }

    /** The first slot that is not open and can hold a shard of {@code kind} alone. */
    private int empty(int kind) {
        for (int slot = 0; slot < capacities.size(); slot++) {
            if (!open.get(slot) && kinds.load(kind) / packing.capacity(slot) <= limits.utilisation() + 1e-9) {
                return slot;
            }
        }
        return PackingState.NOWHERE;
    }

    private void refuse(int job) {
        refused.add(job);
        for (int kind = kinds.first(job); kind < kinds.first(job + 1); kind++) {
            int[] places = packing.places(kind);
            for (int slot = 0; slot < places.length; slot++) {
                if (places[slot] > 0) {
                    packing.move(kind, slot, PackingState.NOWHERE, places[slot]);
                }
            }
        }
    }

    private void giveUpSlots() {
        boolean givenUp = true;
        while (givenUp) {
            for (int slot = open.nextSetBit(0); slot >= 0; slot = open.nextSetBit(slot + 1)) {
                if (packing.isEmpty(slot)) {
                    open.clear(slot);
                }
            }
            givenUp = open.stream()
                    .boxed()
                    .sorted(Comparator.comparingDouble(packing::load))
                    .limit(1)
                    .anyMatch(this::giveUp);
        }
    }

    /** True if all shards on {@code slot} found room elsewhere; otherwise nothing has changed. */
    private boolean giveUp(int slot) {
        double load = open.stream()
                .mapToDouble(each -> packing.load(each) * packing.capacity(each))
                .sum();
        double room = open.stream()
                .filter(each -> each != slot)
                .mapToDouble(each -> limits.utilisation() * packing.capacity(each))
                .sum();
        if (load > room + 1e-9) {
            return false;
        }
        int mark = packing.mark();
        int displaced = packing.displaced();
        open.clear(slot);
        for (int kind = 0; kind < kinds.count(); kind++) {
            int here = packing.shards(kind, slot);
            packing.move(kind, slot, PackingState.NOWHERE, here);
            for (int i = 0; i < here; i++) {
                packing.move(kind, PackingState.NOWHERE, mending.best(kind, open), 1);
            }
        }
        if (mending.mend(open, STEPS) && packing.displaced() - displaced <= MOST_MOVES) {
            return true;
        }
        packing.backTo(mark);
        open.set(slot);
        return false;
    }

    private List<String> refused() {
        return refused.stream().map(job -> kinds.demand(job).job()).toList();
    }

    private Map<String, Double> losses() {
        Map<String, Double> losses = new LinkedHashMap<>();
        for (int job = 0; job < kinds.jobs(); job++) {
            if (!refused.contains(job)) {
                losses.put(kinds.demand(job).job(), packing.worst(job));
            }
        }
        return losses;
    }
}
