package dev.spur.agent.aggregator;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * What an aggregator has done since it started. All counts only rise, so whoever misses one reads the next.
 *
 * @param instance differs for every process
 * @param seconds for how long it has run
 * @param cpuSeconds what its process has used of a CPU; null if the system does not say
 * @param shardsByJob by job and generation; what lies here no more is left out
 */
public record Counts(
        String instance, double seconds, @Nullable Double cpuSeconds, List<Portion> shardsByJob) {
    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    public Counts {
        shardsByJob = List.copyOf(shardsByJob);
    }

    /** What it has done for a generation of a job. */
    public record Portion(String jobId, long generation, List<Shard> shards) {
        public Portion {
            shards = List.copyOf(shards);
        }
    }

    /**
     * What it has done for one shard.
     *
     * @param shard its number
     * @param parts parts of sums that workers have sent
     * @param bytes numbers in them, in bytes
     * @param cpuSeconds of a CPU, for taking in, adding and sending; null if the system does not say
     */
    public record Shard(
            int shard, long parts, long bytes, @Nullable Double cpuSeconds) {}

    /** The counts that {@link #json} wrote. */
    public static Counts read(String json) {
        return JSON.readValue(json, Counts.class);
    }

    /** This as one line of JSON. */
    public String json() {
        return JSON.writeValueAsString(this);
    }

    /** Puts shards of the same generation of a job together. */
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
