package dev.spur.cli;

import java.util.List;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

/** Command {@code spur queue}. */
@Command(name = "queue", description = "List pending jobs with their pending reasons.", mixinStandardHelpOptions = true)
public final class QueueCommand extends ServiceCommand {

    @Override
    String answer(ServiceOptions service) throws InterruptedException {
        List<JsonNode> waiting = service.all("/api/v1/queue");
        if (service.printsJson()) {
            return line(waiting.toString());
        }
        return waiting.isEmpty() ? line("No pending jobs.") : jobs(waiting);
    }

    private static String jobs(List<JsonNode> waiting) {
        TextTable table = new TextTable("POSITION", "JOB", "NAME", "OWNER", "WAITING", "REASON", "MESSAGE");
        for (JsonNode entry : waiting) {
            table.add(
                    text(entry.path("queuePosition")),
                    entry.path("jobId").asString(),
                    entry.path("name").asString(),
                    entry.path("owner").asString(),
                    span(entry.path("waitingSeconds").asDouble()),
                    entry.path("reason").asString(),
                    entry.path("message").asString());
        }
        return table.text();
    }
}
