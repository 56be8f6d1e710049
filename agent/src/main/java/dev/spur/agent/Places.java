package dev.spur.agent;

import dev.spur.agent.protocol.Assignment.Summing;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Where shards of gradients are summed, as processes of a job read it: {@code {"SHARD": "ADDRESS:PORT", ..}}. */
final class Places {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private Places() {}

    static String json(List<Summing> aggregators) {
        ObjectNode places = JSON.createObjectNode();
        aggregators.forEach(where -> where.shards()
                .forEach(shard -> places.put(Integer.toString(shard), where.address() + ":" + where.port())));
        return JSON.writeValueAsString(places);
    }
}
