package dev.spur.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Command {@code spur priority JOB N}. */
@Command(
        name = "priority",
        description =
                "Set the priority class of a job or of the active jobs of an array. The next round plans with it.",
        mixinStandardHelpOptions = true)
public final class PriorityCommand extends ServiceCommand {
    private static final int LIMIT = 10;

    @Parameters(index = "0", paramLabel = "JOB", description = "Id, id prefix, or name of a job or array.")
    private String job = "";

    @Parameters(
            index = "1",
            paramLabel = "N",
            description = "Priority class from -10 to 10. No number of jobs of lower classes outranks the job.")
    private int priority;

    /** A negative number is no option. */
    @Spec
    void acceptNegativeNumbers(CommandSpec command) {
        command.parser().unmatchedOptionsArePositionalParams(true);
    }

    @Override
    CommandOutput execute(ServiceOptions service) throws InterruptedException {
        if (Math.abs(priority) > LIMIT) {
            throw CommandFailure.ofInput(
                    "The priority %d is out of range; expected -%d to %d.".formatted(priority, LIMIT, LIMIT));
        }
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        String path = service.path(job);
        boolean isArray = path.startsWith("/api/v1/arrays/");
        (isArray ? patch : patch.putObject("spec")).put("priority", priority);
        JsonNode changed = service.patch(path, patch);
        String id = text(changed.path("id"));
        return CommandOutput.of(
                changed,
                id,
                line("%s %s (%s) has priority %s."
                        .formatted(isArray ? "Array" : "Job", id, text(changed.path("name")), priority)));
    }
}
