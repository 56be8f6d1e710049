package dev.spur.model.aggregation;

import dev.spur.model.allocation.Configuration;

/** Into how many shards the gradients of a job are cut. */
public final class Shards {
    private static final int PER_SLOT = 8;
    private static final int MOST = 4096;

    private Shards() {}

    /**
     * Shards of a job that runs in {@code configuration}: eight for each aggregation slot, at least one, numbered from
     * 0 on; 0 for AllReduce. Shard s of S of n numbers holds those from {@code s n / S} to before {@code (s + 1) n /
     * S}, both rounded down.
     */
    public static int of(Configuration configuration) {
        double exact = PER_SLOT * configuration.aggregationThousandths() / 1000.0;
        return (int) Math.min(MOST, Math.ceil(exact));
    }
}
