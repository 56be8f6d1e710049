package dev.spur.cli;

import java.util.List;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

/** {@code spur queue}. */
@Command(name = "queue", description = "Lists the jobs that wait, and why.", mixinStandardHelpOptions = true)
public final class QueueCommand extends Ask {

    @Override
    String answer(Service service) throws InterruptedException {
        List<JsonNode> waiting = service.all("/api/v1/queue");
        if (service.printsJson()) {
            return line(waiting.toString());
        }
        if (waiting.isEmpty()) {
            return line("No job waits.");
        }
        Table table = new Table("PLACE", "JOB", "NAME", "OWNER", "WAITS", "REASON", "WHY");
        for (JsonNode entry : waiting) {
            table.add(
                    text(entry.path("position")),
                    entry.path("jobId").asString(),
                    entry.path("name").asString(),
                    entry.path("owner").asString(),
                    span(entry.path("waitingSeconds").asDouble()),
                    entry.path("reason").asString(),
                    entry.path("sentence").asString());
        }
        return table.text();
    }
}
