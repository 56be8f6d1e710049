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
    CommandOutput execute(ServiceOptions service) throws InterruptedException {
        JsonNode cancelled = service.post("/api/v1/jobs/%s/cancel".formatted(service.job(job)));
        String id = cancelled.path("id").asString();
        return CommandOutput.of(
                cancelled,
                id,
                line("Job %s (%s) is %s."
                        .formatted(
                                id,
                                cancelled.path("name").asString(),
                                cancelled.path("state").asString())));
    }
}
