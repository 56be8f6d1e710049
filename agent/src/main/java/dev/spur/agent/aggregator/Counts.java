package dev.spur.agent.aggregator;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Counts of an aggregator since its start. They only increase, so that a missed report is covered by the next one.
 *
 * @param instance id of the process
 * @param seconds running time, seconds
 * @param cpuSeconds CPU time of the process; null if the system does not report it
 * @param shardsByJob counts by job and generation, for the current content only
 */
public record Counts(
        String instance, double seconds, @Nullable Double cpuSeconds, List<Portion> shardsByJob) {
    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    public Counts {
        shardsByJob = List.copyOf(shardsByJob);
    }

    /** Counts of one generation of a job. */
    public record Portion(String jobId, long generation, List<Shard> shards) {
        public Portion {
            shards = List.copyOf(shards);
        }
    }

    /**
     * Counts of one shard.
     *
     * @param shard shard number
     * @param parts received parts of sums
     * @param bytes size of their numbers, bytes
     * @param cpuSeconds CPU time for receiving, adding and sending; null if the system does not report it
     */
    public record Shard(
            int shard, long parts, long bytes, @Nullable Double cpuSeconds) {}

    /** Parses the output of {@link #json}. */
    public static Counts read(String json) {
        return JSON.readValue(json, Counts.class);
    }

    /** Returns the counts as one line of JSON. */
    public String json() {
        return JSON.writeValueAsString(this);
    }

    /** Collects the shards of one generation of a job. */
    static final class ShardCounts {
        private final Map<String, Map<Long, List<Shard>>> shards = new TreeMap<>();

        void add(String job, long generation, Shard shard) {
            shards.computeIfAbsent(job, id -> new TreeMap<>())
                    .computeIfAbsent(generation, number -> new ArrayList<>())
                    .add(shard);
        }

        List<Portion> all() {
            List<Portion> all = new ArrayList<>();
            shards.forEach((job, generations) -> generations.forEach((generation, own) -> {
                own.sort((one, other) -> Integer.compare(one.shard(), other.shard()));
                all.add(new Portion(job, generation, own));
            }));
            return all;
        }
    }
}
