package dev.spur.agent;

import dev.spur.agent.protocol.Assignment.AggregatorLocation;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * File in which the processes of a job read the addresses of their gradient shards: {@code {"SHARD": "ADDRESS:PORT",
 * ..}}.
 */
final class ShardLocationsFile {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private ShardLocationsFile() {}

    static String json(List<AggregatorLocation> aggregators) {
        ObjectNode places = JSON.createObjectNode();
        aggregators.forEach(where -> where.shards()
                .forEach(shard -> places.put(Integer.toString(shard), where.address() + ":" + where.port())));
        return JSON.writeValueAsString(places);
    }
}
