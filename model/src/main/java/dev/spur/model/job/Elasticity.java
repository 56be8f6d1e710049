package dev.spur.model.job;

import dev.spur.model.Checks;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The slots that a job may run on.
 *
 * @param acceleratorTypes allowed types; empty for every type that its profile speaks of
 * @param pools allowed pools; empty for all
 * @param minSlots fewest slots, at least 1
 * @param maxSlots most slots, at least {@code minSlots}
 * @param powersOfTwo true if only powers of two are allowed
 * @param allowedCounts the only counts allowed, if not empty; those outside the limits are not used
 * @param maxNodes most nodes; null for no limit
 * @param consolidate true if the job may only run on the fewest nodes that hold its slots, as skewed models want
 *     (Tiresias)
 */
public record Elasticity(
        List<String> acceleratorTypes,
        List<String> pools,
        int minSlots,
        int maxSlots,
        boolean powersOfTwo,
        List<Integer> allowedCounts,
        @Nullable Integer maxNodes,
        boolean consolidate) {
    public Elasticity {
        acceleratorTypes = Checks.copy(acceleratorTypes);
        pools = Checks.copy(pools);
        allowedCounts = Checks.copy(allowedCounts).stream().distinct().sorted().toList();
        Checks.atLeast("minSlots", minSlots, 1);
        Checks.require(maxSlots >= minSlots, "maxSlots (%s) must be at least minSlots (%s)", maxSlots, minSlots);
        Checks.require(maxNodes == null || maxNodes >= 1, "maxNodes (%s) must be at least 1", maxNodes);
    }

    /** Any count from {@code min} to {@code max} on every type and pool. */
    public static Elasticity between(int min, int max) {
        return new Elasticity(List.of(), List.of(), min, max, false, List.of(), null, false);
    }

    /** Allowed slot counts up to {@code limit}, ascending. */
    public int[] counts(int limit) {
        return IntStream.rangeClosed(minSlots, Math.min(maxSlots, limit))
                .filter(this::allowsCount)
                .toArray();
    }

    /** The smallest allowed slot count; empty if the limits exclude all. */
    public OptionalInt fewest() {
        if (allowedCounts.isEmpty()) {
            int least = powersOfTwo ? atLeastPowerOfTwo(minSlots) : minSlots;
            return allowsCount(least) ? OptionalInt.of(least) : OptionalInt.empty();
        }
        for (int count : allowedCounts) {
            if (allowsCount(count)) {
                return OptionalInt.of(count);
            }
        }
        return OptionalInt.empty();
    }

    private static int atLeastPowerOfTwo(int slots) {
        int highest = Integer.highestOneBit(slots);
        return highest == slots ? slots : highest << 1;
    }

    /** True if a job may hold exactly {@code slots}. */
    public boolean allowsCount(int slots) {
        return slots >= minSlots
                && slots <= maxSlots
                && (!powersOfTwo || Integer.bitCount(slots) == 1)
                && (allowedCounts.isEmpty() || allowedCounts.contains(slots));
    }

    /** True if a job may run on {@code type}, should its profile know it. */
    public boolean allowsType(String type) {
        return acceleratorTypes.isEmpty() || acceleratorTypes.contains(type);
    }

    /** True if a job may run in {@code pool}. */
    public boolean allowsPool(String pool) {
        return pools.isEmpty() || pools.contains(pool);
    }

    /** True if a job may be spread over {@code nodes} nodes. */
    public boolean allowsNodes(int nodes) {
        return maxNodes == null || nodes <= maxNodes;
    }
}
