package dev.spur.solver.aggregation;

import dev.spur.model.aggregation.AggregationLayout;
import dev.spur.model.aggregation.Aggregator;
import dev.spur.model.aggregation.ShardAssignment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Partition of the aggregation slots of a node into aggregators. Aggregators keep their previous numbers as far as
 * possible.
 */
final class AggregatorSlots {
    private static final long WHOLE = 1000;

    private final Map<String, List<Aggregator>> previousAggregators = new HashMap<>();
    private final Map<String, Set<Integer>> given = new HashMap<>();

    /**
     * An aggregator position on a node.
     *
     * @param capacity aggregation slots, above 0 and up to 1
     */
    record AggregatorSlot(String node, int number, double capacity) {}

    AggregatorSlots(AggregationLayout previousLayout) {
        for (Aggregator aggregator : previousLayout.aggregators()) {
            this.previousAggregators
                    .computeIfAbsent(aggregator.node(), node -> new ArrayList<>())
                    .add(aggregator);
        }
    }

    /**
     * Returns positions of one slot each, and one for the remainder.
     *
     * @param mayContinue whether, given the jobs of an aggregator, it may continue as one of these positions
     */
    List<AggregatorSlot> cut(String node, long thousandths, Predicate<Set<String>> mayContinue) {
        Set<Integer> taken = given.computeIfAbsent(node, n -> new HashSet<>());
        List<Integer> old = previousAggregators.getOrDefault(node, List.of()).stream()
                .filter(aggregator -> !taken.contains(aggregator.number()) && mayContinue.test(jobs(aggregator)))
                // The largest first, as the first positions are the largest: a position that shrinks may have to
                // release shards.
                .sorted(Comparator.comparing(Aggregator::thousandths)
                        .thenComparing(AggregatorSlots::shards)
                        .reversed()
                        .thenComparing(Aggregator::number))
                .map(Aggregator::number)
                .toList();
        List<AggregatorSlot> slots = new ArrayList<>();
        for (long left = thousandths; left > 0; left -= WHOLE) {
            int number = slots.size() < old.size() ? old.get(slots.size()) : unusedNumber(node, taken);
            taken.add(number);
            slots.add(new AggregatorSlot(node, number, Math.min(left, WHOLE) / (double) WHOLE));
        }
        return slots;
    }

    /** Returns a number that no previous aggregator has, because a later position may continue that aggregator. */
    private int unusedNumber(String node, Set<Integer> taken) {
        Set<Integer> known = previousAggregators.getOrDefault(node, List.of()).stream()
                .map(Aggregator::number)
                .collect(Collectors.toSet());
        int number = 0;
        while (taken.contains(number) || known.contains(number)) {
            number++;
        }
        return number;
    }

    private static int shards(Aggregator aggregator) {
        return aggregator.shardsByJob().stream()
                .mapToInt(jobShards -> jobShards.shards().size())
                .sum();
    }

    private static Set<String> jobs(Aggregator aggregator) {
        return aggregator.shardsByJob().stream().map(ShardAssignment::jobId).collect(Collectors.toSet());
    }
}
