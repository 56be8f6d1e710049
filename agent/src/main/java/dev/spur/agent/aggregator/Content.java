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
 * What an aggregator is to sum.
 *
 * @param shardsByJob by job and generation: while one makes room for the next, both may be here
 */
public record Content(List<Part> shardsByJob) {
    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    public Content {
        shardsByJob = List.copyOf(shardsByJob);
    }

    /**
     * What it sums for one job.
     *
     * @param jobId the job
     * @param generation of the job
     * @param workers how many send
     * @param shards numbers of the shards
     */
    public record Part(String jobId, long generation, int workers, List<Integer> shards) {
        public Part {
            shards = List.copyOf(shards);
        }
    }

    /** The content that {@link #json} wrote. */
    public static Content read(String json) {
        return JSON.readValue(json, Content.class);
    }

    /** This as one line of JSON. */
    public String json() {
        return JSON.writeValueAsString(this);
    }

    /** Looks generations and shards up fast. */
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

        /** True if a later generation lies here, and this one does not. */
        boolean isOver(String job, long generation) {
            return part(job, generation).isEmpty() && newest.getOrDefault(job, 0L) > generation;
        }
    }
}
