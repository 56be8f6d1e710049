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
        description = "Set the priority class of a job. The next round plans with it.",
        mixinStandardHelpOptions = true)
public final class PriorityCommand extends ServiceCommand {
    private static final int LIMIT = 10;

    @Parameters(index = "0", paramLabel = "JOB", description = "Job id, id prefix, or name.")
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
        patch.putObject("spec").put("priority", priority);
        JsonNode changed = service.patch("/api/v1/jobs/" + service.job(job), patch);
        String id = text(changed.path("id"));
        return CommandOutput.of(
                changed,
                id,
                line("Job %s (%s) has priority %s."
                        .formatted(id, text(changed.path("name")), text(changed.at("/spec/priority")))));
    }
}
