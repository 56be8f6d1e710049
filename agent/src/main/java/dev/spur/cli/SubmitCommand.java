package dev.spur.cli;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Command {@code spur submit}. */
@Command(
        name = "submit",
        description = {
            "Submit a job and print it with all defaults.",
            "The job is a command, such as ./spur submit --gpus 1-4 --batch 256 -- torchrun train.py,"
                    + " or a file with the body of POST /api/v1/jobs. Options replace values of the file."
        },
        customSynopsis = {
            "spur submit [OPTIONS] -- COMMAND...",
            "       spur submit [OPTIONS] FILE",
        },
        mixinStandardHelpOptions = true)
public final class SubmitCommand extends ServiceCommand {
    /** Job properties that a submission may contain. */
    private static final List<String> SUBMITTED = List.of(
            "name",
            "tenant",
            "owner",
            "externalId",
            "labels",
            "deadline",
            "waitForHardware",
            "dependsOn",
            "command",
            "spec");

    @Mixin
    private JobOptions job = new JobOptions();

    @Option(names = "--dry-run", description = "Print the job as YAML, and do not submit it.")
    private boolean dryRun;

    @Override
    CommandOutput execute(ServiceOptions service) throws InterruptedException {
        ObjectNode body = job.body();
        if (dryRun) {
            return CommandOutput.of(body, body.path("name").asString(""), YamlText.of(body));
        }
        JsonNode submitted = service.submit(body);
        String id = submitted.path("id").asString();
        return CommandOutput.of(
                submitted,
                id,
                line("Submitted job %s (%s)."
                                .formatted(id, submitted.path("name").asString()))
                        + line("The job with all defaults:")
                        + effective(submitted).indent(2)
                        + line("State and reason: ./spur why " + id));
    }

    /** Returns the submitted properties of a job as YAML, without empty ones. */
    private static String effective(JsonNode job) {
        ObjectNode shown = JsonNodeFactory.instance.objectNode();
        SUBMITTED.forEach(name -> shown.set(name, job.path(name)));
        return YamlText.of(withoutEmpty(shown));
    }

    private static ObjectNode withoutEmpty(ObjectNode object) {
        ObjectNode rest = JsonNodeFactory.instance.objectNode();
        object.properties().forEach(member -> {
            JsonNode value = member.getValue() instanceof ObjectNode inner ? withoutEmpty(inner) : member.getValue();
            if (!value.isNull() && !value.isMissingNode() && !(value.isContainer() && value.isEmpty())) {
                rest.set(member.getKey(), value);
            }
        });
        return rest;
    }
}
