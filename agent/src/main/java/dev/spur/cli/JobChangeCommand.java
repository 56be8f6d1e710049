package dev.spur.cli;

import java.util.List;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** A command that applies the same operation to each of several jobs. */
abstract class JobChangeCommand extends ChangeCommand {
    private final String operation;

    @Parameters(
            arity = "1..*",
            paramLabel = "JOB",
            description =
                    "Ids, id prefixes, or names of jobs or arrays. Each failure is reported; the others are changed.")
    private List<String> jobs = List.of();

    /**
     * Creates the command.
     *
     * @param operation last part of the path of the operation
     */
    JobChangeCommand(String operation) {
        this.operation = operation;
    }

    @Override
    final List<String> resources() {
        return jobs;
    }

    @Override
    final JsonNode change(ServiceOptions service, String job) throws InterruptedException {
        return service.post("%s/%s".formatted(service.path(job), operation));
    }

    @Override
    final String message(JsonNode job) {
        if (ArrayRow.isArray(job)) {
            return "Array %s (%s): %s.".formatted(text(job.path("id")), text(job.path("name")), ArrayRow.states(job));
        }
        return "Job %s (%s) is %s.".formatted(text(job.path("id")), text(job.path("name")), JobsCommand.state(job));
    }
}
