package dev.spur.agent;

import dev.spur.agent.protocol.Assignment;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * File in which rank 0 reads the batch of the running generation, and the last change of its ranks: {@code {"batch":
 * {"perDevice": 32, "accumulation": 0, "global": 64}, "rescale": {"number": 1, "ranks": [0, null], "master":
 * {"address": "10.0.0.7", "port": 20019}}}}.
 */
final class DirectiveFile {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private DirectiveFile() {}

    static String json(Assignment.Batch batch, Assignment.@Nullable Rescale change) {
        Map<String, Object> content = new LinkedHashMap<>(Map.of("batch", batch));
        if (change != null) {
            Map<String, Object> rescale = new LinkedHashMap<>();
            rescale.put("number", change.number());
            rescale.put("ranks", change.ranks());
            Map<String, Object> master = new LinkedHashMap<>();
            master.put("address", change.master().address());
            master.put("port", change.master().port());
            rescale.put("master", master);
            content.put("rescale", rescale);
        }
        return JSON.writeValueAsString(content);
    }
}
