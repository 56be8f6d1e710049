package dev.spur.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code spur cancel JOB}. */
@Command(name = "cancel", description = "Calls a job off; what it did is kept.", mixinStandardHelpOptions = true)
public final class CancelCommand extends ServiceCommand {

    @Parameters(paramLabel = "JOB", description = "Its id, the beginning of its id, or its name.")
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
