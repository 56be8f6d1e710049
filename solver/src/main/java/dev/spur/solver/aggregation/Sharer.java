package dev.spur.solver.aggregation;

import dev.spur.model.Checks;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Deals shards out to aggregation slots: what fits stays where it is; the rest goes, the busiest shard first, to the slot that is
 * busiest afterwards and keeps everybody within the limits, or opens a slot; then slots are given up as long as the shards of the
 * least busy one fit elsewhere.
 *
 * <p>Source: the problem and its shared, elastic service are those of AutoPS (arXiv 2204.03211); the rule of assignment and the
 * limits are a reconstruction, since the paper does not print them.
 */
public final class Sharer {
    private static final int NOWHERE = -1;

    private final SharingLimits limits;
    private final List<Double> capacities;
    private final Map<String, AggregationDemand> demands = new LinkedHashMap<>();
    private final List<SharedSlot> slots = new ArrayList<>();
    private final Map<String, int[]> places = new LinkedHashMap<>();

    /** A shard of a job. */
    private record Shard(AggregationDemand of, int number) {
        double seconds() {
            return of.shardSeconds().get(number);
        }

        double load() {
            return seconds() / of.stepSeconds();
        }
    }

    /**
     * What came out.
     *
     * @param sharing where the shards lie
     * @param refused jobs for whose shards there was no room, in the order of the demands; none of their shards lies anywhere
     * @param moved shards that lay elsewhere before
     * @param worstLoss by job, the share of its step that it waits for others at its worst slot
     */
    public record Result(Sharing sharing, List<String> refused, int moved, Map<String, Double> worstLoss) {
        public Result {
            refused = Checks.copy(refused);
            worstLoss = Checks.copy(worstLoss);
        }
    }

    private Sharer(List<AggregationDemand> demands, List<Double> capacities, SharingLimits limits) {
        this.limits = limits;
        this.capacities = capacities;
        for (AggregationDemand demand : demands) {
            Checks.require(this.demands.put(demand.job(), demand) == null, "job %s asks twice", demand.job());
        }
    }

    /**
     * Deals out all shards of {@code demands} to whole slots.
     *
     * @param before where shards lie now; jobs that ask no more leave
     * @param mostSlots slots that there are, at least 0
     * @throws IllegalArgumentException if a job asks twice
     */
    public static Result arrange(Sharing before, List<AggregationDemand> demands, int mostSlots, SharingLimits limits) {
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
            Sharing before, List<AggregationDemand> demands, List<Double> capacities, SharingLimits limits) {
        capacities.forEach(capacity -> Checks.positive("capacity", capacity));
        Sharer sharer = new Sharer(demands, capacities, limits);
        sharer.keep(before);
        List<String> refused = sharer.placeTheRest();
        sharer.giveUpSlots();
        Sharing after = sharer.sharing();
        return new Result(after, refused, before.movedTo(after), sharer.losses());
    }

    /** Fewest slots that could do it if shards were sand and nobody minded waiting. */
    public static int lowerBound(List<AggregationDemand> demands, SharingLimits limits) {
        double load = demands.stream().mapToDouble(AggregationDemand::load).sum();
        return (int) Math.ceil(load / limits.utilisation() - 1e-9);
    }

    /** Leaves shards where they lie; where that breaks a limit by now, the busiest ones have to go until it does not. */
    private void keep(Sharing before) {
        Map<Integer, List<Shard>> bySlot = new HashMap<>();
        for (AggregationDemand demand : demands.values()) {
            int[] own = IntStream.range(0, demand.shardSeconds().size())
                    .map(s -> NOWHERE)
                    .toArray();
            places.put(demand.job(), own);
            List<Integer> known = before.slots().getOrDefault(demand.job(), List.of());
            for (int s = 0; s < Math.min(own.length, known.size()); s++) {
                if (known.get(s) < capacities.size()) {
                    put(new Shard(demand, s), known.get(s));
                    bySlot.computeIfAbsent(known.get(s), slot -> new ArrayList<>())
                            .add(new Shard(demand, s));
                }
            }
        }
        bySlot.forEach((slot, shards) -> {
            shards.sort(Comparator.comparingDouble(Shard::load).reversed());
            for (int i = 0; i < shards.size() && !slots.get(slot).isWithinLimits(); i++) {
                take(shards.get(i));
            }
        });
    }

    /** Returns jobs for whose shards there is no room. */
    private List<String> placeTheRest() {
        Set<String> refused = new HashSet<>();
        List<Shard> homeless = shards(NOWHERE);
        homeless.sort(Comparator.comparingDouble(Shard::load).reversed());
        for (Shard shard : homeless) {
            if (!refused.contains(shard.of().job())) {
                Integer slot = bestFit(shard, null);
                slot = slot == null ? emptySlot(shard) : slot;
                if (slot == null) {
                    refused.add(shard.of().job());
                    takeAll(shard.of());
                } else {
                    put(shard, slot);
                }
            }
        }
        return demands.keySet().stream().filter(refused::contains).toList();
    }

    /** The slot in use that is busiest with {@code shard} and keeps the limits; null if there is none. */
    private @Nullable Integer bestFit(Shard shard, @Nullable Integer except) {
        Integer best = null;
        for (int i = 0; i < slots.size(); i++) {
            SharedSlot slot = slots.get(i);
            boolean busier =
                    best == null || slot.utilisation() > slots.get(best).utilisation();
            boolean open = !slot.isEmpty() && !Integer.valueOf(i).equals(except);
            if (open && busier && slot.holds(shard.of(), shard.seconds())) {
                best = i;
            }
        }
        return best;
    }

    /** The first slot that nobody uses and that can hold {@code shard}; null if all are in use or none is large enough. */
    private @Nullable Integer emptySlot(Shard shard) {
        Double tried = null;
        for (int i = 0; i < capacities.size(); i++) {
            open(i);
            // of two that are empty and alike, one need not be asked after the other
            if (slots.get(i).isEmpty() && !capacities.get(i).equals(tried)) {
                tried = capacities.get(i);
                if (slots.get(i).holds(shard.of(), shard.seconds())) {
                    return i;
                }
            }
        }
        return null;
    }

    private void giveUpSlots() {
        boolean givenUp = true;
        while (givenUp) {
            givenUp = IntStream.range(0, slots.size())
                    .filter(i -> !slots.get(i).isEmpty())
                    .boxed()
                    .sorted(Comparator.comparingDouble(i -> slots.get(i).utilisation()))
                    .anyMatch(this::giveUp);
        }
    }

    /** True if all shards on {@code slot} found room elsewhere; otherwise nothing has changed. */
    private boolean giveUp(int slot) {
        List<Shard> here = shards(slot);
        here.sort(Comparator.comparingDouble(Shard::load).reversed());
        here.forEach(this::take);
        for (int i = 0; i < here.size(); i++) {
            Integer other = bestFit(here.get(i), slot);
            if (other == null) {
                here.subList(0, i).forEach(this::take);
                here.forEach(shard -> put(shard, slot));
                return false;
            }
            put(here.get(i), other);
        }
        return true;
    }

    /** All shards on {@code slot}, in the order of the demands; those that lie nowhere, for that. */
    private List<Shard> shards(int slot) {
        List<Shard> there = new ArrayList<>();
        places.forEach((job, own) -> {
            for (int s = 0; s < own.length; s++) {
                if (own[s] == slot) {
                    there.add(new Shard(demand(job), s));
                }
            }
        });
        return there;
    }

    private void put(Shard shard, int slot) {
        open(slot);
        slots.get(slot).add(shard.of(), shard.seconds());
        places(shard.of())[shard.number()] = slot;
    }

    private void open(int slot) {
        while (slots.size() <= slot) {
            slots.add(new SharedSlot(limits, capacities.get(slots.size())));
        }
    }

    private void take(Shard shard) {
        int slot = places(shard.of())[shard.number()];
        slots.get(slot).remove(shard.of().job(), shard.seconds());
        places(shard.of())[shard.number()] = NOWHERE;
    }

    private void takeAll(AggregationDemand demand) {
        int[] own = places(demand);
        for (int s = 0; s < own.length; s++) {
            if (own[s] != NOWHERE) {
                take(new Shard(demand, s));
            }
        }
    }

    private int[] places(AggregationDemand demand) {
        return places.getOrDefault(demand.job(), new int[0]);
    }

    private AggregationDemand demand(String job) {
        AggregationDemand demand = demands.get(job);
        if (demand == null) {
            throw new IllegalStateException("job %s asks for nothing".formatted(job));
        }
        return demand;
    }

    private Sharing sharing() {
        Map<String, List<Integer>> placed = new LinkedHashMap<>();
        places.forEach((job, own) -> {
            if (IntStream.of(own).allMatch(slot -> slot != NOWHERE)) {
                placed.put(job, IntStream.of(own).boxed().toList());
            }
        });
        return new Sharing(placed);
    }

    private Map<String, Double> losses() {
        Map<String, Double> losses = new LinkedHashMap<>();
        sharing()
                .slots()
                .forEach((job, own) -> losses.put(
                        job,
                        own.stream()
                                .mapToDouble(slot -> slots.get(slot).loss(job))
                                .max()
                                .orElse(0)));
        return losses;
    }
}
