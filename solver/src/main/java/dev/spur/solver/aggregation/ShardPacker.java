package dev.spur.solver.aggregation;

import dev.spur.model.Checks;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Packing of shards onto aggregation slots, with as few slots as it can. Shards that fit stay. The others follow in
 * descending order of load: each goes to the open slot with the least added stall within all limits, or opens a slot.
 * Then slots are closed while the shards of the least utilized one fit elsewhere; few other shards may
 * {@link LocalSearchRepair move} for that.
 *
 * <p>Source: the problem and its shared, elastic service are those of AutoPS (arXiv 2204.03211); the rule of assignment
 * and the limits are a reconstruction, since the paper does not print them.
 */
public final class ShardPacker {
    /** Maximum number of moves of one search for a packing within the limits. */
    private static final int MAX_STEPS = 40;
    /** Maximum number of moves that all searches of a round evaluate. */
    private static final long MAX_EVALUATIONS = 300_000;
    /**
     * Maximum number of shards that may move so that one slot becomes free: more moves cost more than a free slot
     * gains.
     */
    private static final int MAX_MOVES = 64;

    private final SharingLimits limits;
    private final List<Double> capacities;
    private final PreviousPlacement previousPlacement;
    private final ShardClasses classes;
    private final PackingState packing;
    private final LocalSearchRepair localSearch;
    private final BitSet open = new BitSet();
    private final Set<Integer> rejected = new TreeSet<>();

    /**
     * Result of a packing.
     *
     * @param sharingPlacement slots of the shards
     * @param rejected jobs whose shards do not fit, in the order of the demands; none of their shards is placed
     * @param moved number of shards that were on another slot before
     * @param worstLoss by job, the fraction of its step that it stalls at its worst slot
     */
    public record Result(
            ShardPlacement sharingPlacement, List<String> rejected, int moved, Map<String, Double> worstLoss) {
        public Result {
            rejected = Checks.copy(rejected);
            worstLoss = Checks.copy(worstLoss);
        }
    }

    private ShardPacker(
            ShardPlacement previousPlacement,
            List<AggregationDemand> demands,
            List<Double> capacities,
            SharingLimits limits) {
        this.limits = limits;
        this.capacities = capacities;
        this.classes = new ShardClasses(demands);
        this.previousPlacement = new PreviousPlacement(previousPlacement, classes, capacities.size());
        this.packing = new PackingState(classes, capacities, limits);
        this.localSearch = new LocalSearchRepair(packing, classes, MAX_EVALUATIONS);
    }

    /**
     * Packs all shards of {@code demands} onto whole slots.
     *
     * @param previousPlacement present slots of the shards; jobs without a demand leave
     * @param maxSlots number of available slots, at least 0
     * @throws IllegalArgumentException if a job has two demands
     */
    public static Result arrange(
            ShardPlacement previousPlacement, List<AggregationDemand> demands, int maxSlots, SharingLimits limits) {
        Checks.atLeast("maxSlots", maxSlots, 0);
        return arrange(previousPlacement, demands, Collections.nCopies(maxSlots, 1.0), limits);
    }

    /**
     * Packs all shards of {@code demands}.
     *
     * @param previousPlacement present slots of the shards; jobs without a demand leave
     * @param capacities capacity of each slot as a fraction of a whole one, above 0
     * @throws IllegalArgumentException if a job has two demands
     */
    public static Result arrange(
            ShardPlacement previousPlacement,
            List<AggregationDemand> demands,
            List<Double> capacities,
            SharingLimits limits) {
        capacities.forEach(capacity -> Checks.positive("capacity", capacity));
        Set<String> known = new HashSet<>();
        demands.forEach(demand -> Checks.require(known.add(demand.job()), "job %s asks twice", demand.job()));
        ShardPacker sharer = new ShardPacker(previousPlacement, demands, capacities, limits);
        sharer.keep();
        sharer.placeUnplaced();
        sharer.giveUpSlots();
        ShardPlacement after = sharer.previousPlacement.sharing(sharer.packing, sharer.rejected);
        return new Result(after, sharer.rejectedJobs(), previousPlacement.movedTo(after), sharer.losses());
    }

    /** Returns a lower bound on the number of slots: shards are divisible, and stalls are ignored. */
    public static int lowerBound(List<AggregationDemand> demands, SharingLimits limits) {
        double load = demands.stream().mapToDouble(AggregationDemand::load).sum();
        return (int) Math.ceil(load / limits.utilization() - 1e-9);
    }

    /** Keeps shards on their slots. Where that breaks a limit, some shards move or the busiest ones are evicted. */
    private void keep() {
        for (int kind = 0; kind < classes.count(); kind++) {
            for (int shard : classes.shards(kind)) {
                int slot = previousPlacement.of(kind, shard);
                if (slot != PackingState.NOWHERE) {
                    packing.assignHome(kind, slot);
                    open.set(slot);
                }
            }
        }
        int mark = packing.mark();
        if (!localSearch.repair(open, MAX_STEPS)) {
            packing.backTo(mark);
            boolean isEvicted = true;
            while (packing.excess() > 0 && isEvicted) {
                isEvicted = evict();
            }
        }
    }

    /** Evicts the busiest shard from the slot with the highest excess; returns false if no slot has a shard. */
    private boolean evict() {
        Optional<Integer> slot = open.stream()
                .boxed()
                .filter(each -> !packing.isEmpty(each))
                .max(Comparator.comparingDouble(packing::pressure));
        slot.ifPresent(from -> {
            int busiest = IntStream.range(0, classes.count())
                    .filter(kind -> packing.shards(kind, from) > 0)
                    .boxed()
                    .max(Comparator.comparingDouble(classes::load))
                    .orElseThrow();
            packing.move(busiest, from, PackingState.NOWHERE, 1);
        });
        return slot.isPresent();
    }

    /** Places unplaced shards in descending order of load; a job with a shard that does not fit is rejected. */
    private void placeUnplaced() {
        List<Integer> order = IntStream.range(0, classes.count())
                .boxed()
                .sorted(Comparator.comparingDouble(classes::load).reversed())
                .toList();
        openAsManyAsTheLoadNeeds();
        order.forEach(this::place);
    }

    private int unplacedShards(int kind) {
        return classes.shards(kind).size() - IntStream.of(packing.places(kind)).sum();
    }

    /** Places all unplaced shards of a class. When one of them opens a slot, all of them are placed again. */
    private void place(int kind) {
        int mark = packing.mark();
        for (int left = unplacedShards(kind); left > 0 && !rejected.contains(classes.job(kind)); left--) {
            int slot = localSearch.best(kind, open);
            int before = packing.mark();
            if (slot != PackingState.NOWHERE) {
                packing.move(kind, PackingState.NOWHERE, slot, 1);
            }
            if (slot == PackingState.NOWHERE || packing.excess() > 0) {
                packing.backTo(before);
                int empty = empty(kind);
                if (empty == PackingState.NOWHERE) {
                    refuse(classes.job(kind));
                } else {
                    open.set(empty);
                    packing.backTo(localSearch.isExhausted() ? before : mark);
                    left = unplacedShards(kind) + 1;
                }
            }
        }
    }

    private void openAsManyAsTheLoadNeeds() {
        double load = IntStream.range(0, classes.jobs())
                .mapToDouble(job -> classes.demand(job).load())
                .sum();
        double free = open.stream()
                .mapToDouble(slot -> limits.utilization() * packing.capacity(slot))
                .sum();
        for (int slot = 0; slot < capacities.size() && free < load - 1e-9; slot++) {
            if (!open.get(slot)) {
                open.set(slot);
                free += limits.utilization() * packing.capacity(slot);
            }
        }
    }

    /** Returns the first slot that is not open and can hold a shard of {@code kind} alone. */
    private int empty(int kind) {
        for (int slot = 0; slot < capacities.size(); slot++) {
            if (!open.get(slot) && classes.load(kind) / packing.capacity(slot) <= limits.utilization() + 1e-9) {
                return slot;
            }
        }
        return PackingState.NOWHERE;
    }

    private void refuse(int job) {
        rejected.add(job);
        for (int kind = classes.first(job); kind < classes.first(job + 1); kind++) {
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
                    .anyMatch(this::close);
        }
    }

    /** Returns whether all shards on {@code slot} fit elsewhere and were moved; otherwise the packing is unchanged. */
    private boolean close(int slot) {
        double load = open.stream()
                .mapToDouble(each -> packing.load(each) * packing.capacity(each))
                .sum();
        double free = open.stream()
                .filter(each -> each != slot)
                .mapToDouble(each -> limits.utilization() * packing.capacity(each))
                .sum();
        if (load > free + 1e-9) {
            return false;
        }
        int mark = packing.mark();
        int displaced = packing.displacedShards();
        open.clear(slot);
        for (int kind = 0; kind < classes.count(); kind++) {
            int shards = packing.shards(kind, slot);
            packing.move(kind, slot, PackingState.NOWHERE, shards);
            for (int i = 0; i < shards; i++) {
                packing.move(kind, PackingState.NOWHERE, localSearch.best(kind, open), 1);
            }
        }
        if (localSearch.repair(open, MAX_STEPS) && packing.displacedShards() - displaced <= MAX_MOVES) {
            return true;
        }
        packing.backTo(mark);
        open.set(slot);
        return false;
    }

    private List<String> rejectedJobs() {
        return rejected.stream().map(job -> classes.demand(job).job()).toList();
    }

    private Map<String, Double> losses() {
        Map<String, Double> losses = new LinkedHashMap<>();
        for (int job = 0; job < classes.jobs(); job++) {
            if (!rejected.contains(job)) {
                losses.put(classes.demand(job).job(), packing.largestLoad(job));
            }
        }
        return losses;
    }
}
