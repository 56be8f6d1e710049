package dev.spur.cli;

import java.util.List;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

/** Command {@code spur queue}. */
@Command(
        name = "queue",
        description = "List pending jobs with their pending reasons, and data preparations.",
        mixinStandardHelpOptions = true)
public final class QueueCommand extends ServiceCommand {

    @Override
    String answer(ServiceOptions service) throws InterruptedException {
        List<JsonNode> waiting = service.all("/api/v1/queue");
        List<JsonNode> preparations = service.all("/api/v1/preparations?state=WAITING&state=RUNNING");
        if (service.printsJson()) {
            return line(waiting.toString());
        }
        String jobs = waiting.isEmpty() ? line("No pending jobs.") : jobs(waiting);
        return preparations.isEmpty() ? jobs : jobs + line("") + preparations(preparations);
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

    private static String preparations(List<JsonNode> preparations) {
        TextTable table =
                new TextTable("PREPARATION", "NAME", "OWNER", "STATE", "NODE", "GIB", "LENT", "ETA", "MESSAGE");
        for (JsonNode entry : preparations) {
            JsonNode grant = entry.path("grant");
            int lent = grant.path("loans")
                    .valueStream()
                    .mapToInt(loan -> loan.path("gib").asInt())
                    .sum();
            JsonNode waits = entry.path("waiting");
            table.add(
                    entry.path("id").asString(),
                    entry.path("name").asString(),
                    entry.path("owner").asString(),
                    entry.path("state").asString() + (entry.path("held").asBoolean() ? " (held)" : ""),
                    text(grant.path("node")),
                    text(grant.path("localGiB")),
                    grant.isObject() ? Integer.toString(lent) : "-",
                    text(entry.path("eta").path("completion").path("median")),
                    text(waits.isObject() ? waits.path("message") : entry.path("message")));
        }
        return table.text();
    }
}
