package dev.spur.agent.aggregator;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Content of an aggregator: the shards that it sums.
 *
 * @param shardsByJob shards by job and generation; during a restart, two generations of a job may be present
 */
public record Content(List<Part> shardsByJob) {
    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    public Content {
        shardsByJob = List.copyOf(shardsByJob);
    }

    /**
     * Shards of one generation of a job.
     *
     * @param jobId id of the job
     * @param generation generation of the job
     * @param workers number of sending workers
     * @param shards shard numbers
     */
    public record Part(String jobId, long generation, int workers, List<Integer> shards) {
        public Part {
            shards = List.copyOf(shards);
        }
    }

    /** Parses the output of {@link #json}. */
    public static Content read(String json) {
        return JSON.readValue(json, Content.class);
    }

    /** Returns the content as one line of JSON. */
    public String json() {
        return JSON.writeValueAsString(this);
    }

    /** Index by generation and shard. */
    static final class Index {
        private final Map<Gang, Part> parts = new HashMap<>();
        private final Map<Gang, Set<Integer>> shards = new HashMap<>();
        private final Map<String, Long> newest = new HashMap<>();

        private record Gang(String job, long generation) {}

        Index(Content content) {
            for (Part part : content.shardsByJob()) {
                Gang gang = new Gang(part.jobId(), part.generation());
                parts.put(gang, part);
                shards.put(gang, new HashSet<>(part.shards()));
                newest.merge(part.jobId(), part.generation(), Math::max);
            }
        }

        Optional<Part> part(String job, long generation) {
            return Optional.ofNullable(parts.get(new Gang(job, generation)));
        }

        boolean has(String job, long generation, int shard) {
            return shards.getOrDefault(new Gang(job, generation), Set.of()).contains(shard);
        }

        /** Returns true if the content has a later generation of the job, but not this one. */
        boolean isOver(String job, long generation) {
            return part(job, generation).isEmpty() && newest.getOrDefault(job, 0L) > generation;
        }
    }
}
