package dev.spur.agent;

import dev.spur.agent.protocol.Assignment;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/**
 * File in which rank 0 reads the batch of the running generation: {@code {"batch": {"perDevice": 32, "accumulation": 0,
 * "global": 64}}}.
 */
final class DirectiveFile {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private DirectiveFile() {}

    static String json(Assignment.Batch batch) {
        return JSON.writeValueAsString(Map.of("batch", batch));
    }
}
