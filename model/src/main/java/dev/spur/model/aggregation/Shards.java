package dev.spur.model.aggregation;

import dev.spur.model.allocation.Configuration;

/** The number of shards into which the gradients of a job are divided. */
public final class Shards {
    private static final int PER_SLOT = 8;
    private static final int MAX_SHARDS = 4096;

    private Shards() {}

    /**
     * Returns the number of shards of a job that runs in {@code configuration}: eight per aggregation slot, at least 1
     * and at most 4096; 0 for AllReduce. Shards are numbered from 0. Shard s of S of a vector of n values holds the
     * values from {@code s n / S} (inclusive) to {@code (s + 1) n / S} (exclusive), both rounded down.
     */
    public static int of(Configuration configuration) {
        double exact = PER_SLOT * configuration.aggregationThousandths() / 1000.0;
        return (int) Math.min(MAX_SHARDS, Math.ceil(exact));
    }
}
