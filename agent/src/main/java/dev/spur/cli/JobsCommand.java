package dev.spur.cli;

import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** Command {@code spur jobs}. */
@Command(
        name = "jobs",
        description = "List the jobs that have not ended, or all jobs.",
        mixinStandardHelpOptions = true)
public final class JobsCommand extends ServiceCommand {
    @Option(names = "--all", description = "Include ended jobs.")
    private boolean all;

    @Override
    String answer(ServiceOptions service) throws InterruptedException {
        List<JsonNode> jobs = service.all("/api/v1/jobs").stream()
                .filter(job -> all || !ServiceOptions.hasEnded(job))
                .toList();
        if (service.printsJson()) {
            return line(jobs.toString());
        }
        if (jobs.isEmpty()) {
            return line(all ? "There are no jobs." : "No job runs or waits. --all includes ended jobs.");
        }
        TextTable table =
                new TextTable("JOB", "NAME", "OWNER", "STATE", "SLOTS", "TYPE", "NODES", "DONE", "LAST REPORT");
        for (JsonNode job : jobs) {
            add(table, job);
        }
        return table.text();
    }

    private static void add(TextTable table, JsonNode job) {
        JsonNode configuration = job.path("allocation").path("configuration");
        table.add(
                job.path("id").asString(),
                job.path("name").asString(),
                job.path("owner").asString(),
                job.path("state").asString() + (job.path("held").asBoolean() ? " (held)" : ""),
                text(configuration.path("slots")),
                text(configuration.path("acceleratorType")),
                nodes(job),
                done(job),
                text(job.path("observed").path("detail")));
    }

    private static String nodes(JsonNode job) {
        if (job.has("grant")) {
            return job.at("/grant/node").asString();
        }
        List<String> nodes = job.at("/allocation/placement")
                .valueStream()
                .map(piece -> piece.path("node").asString())
                .toList();
        return nodes.isEmpty() ? "-" : String.join(",", nodes);
    }

    private static String done(JsonNode job) {
        return String.format(Locale.ROOT, "%.1f %%", 100 * job.path("progress").asDouble());
    }
}
