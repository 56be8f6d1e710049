package dev.spur.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Command {@code spur cancel JOB}. */
@Command(name = "cancel", description = "Cancel a job. Its history is kept.", mixinStandardHelpOptions = true)
public final class CancelCommand extends ServiceCommand {

    @Parameters(paramLabel = "JOB", description = "Job id, id prefix, or name.")
    private String job = "";

    @Override
    String answer(ServiceOptions service) throws InterruptedException {
        JsonNode cancelled = service.post("/api/v1/jobs/%s/cancel".formatted(service.job(job)));
        return service.printsJson()
                ? json(cancelled)
                : line("Job %s (%s) is %s."
                        .formatted(
                                cancelled.path("id").asString(),
                                cancelled.path("name").asString(),
                                cancelled.path("state").asString()));
    }
}
