package dev.spur.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Command {@code spur submit FILE}. */
@Command(
        name = "submit",
        description =
                "Submit a job and print it with all defaults. The file contains the body of POST /api/v1/jobs as YAML or JSON.",
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

    @Parameters(paramLabel = "FILE", description = "File with the job; - reads standard input.")
    private String file = "-";

    @Override
    CommandOutput answer(ServiceOptions service) throws InterruptedException {
        JsonNode job = service.submit(read());
        String id = job.path("id").asString();
        return CommandOutput.of(
                job,
                id,
                line("Submitted job %s (%s).".formatted(id, job.path("name").asString()))
                        + line("The job with all defaults:")
                        + effective(job).indent(2)
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

    /** One parser for both formats, because JSON is valid YAML */
    private JsonNode read() {
        try {
            byte[] bytes = file.equals("-") ? System.in.readAllBytes() : Files.readAllBytes(Path.of(file));
            JsonNode job = YamlText.MAPPER.readTree(bytes);
            if (!job.isObject()) {
                throw noJob("it contains no object");
            }
            return job;
        } catch (NoSuchFileException missing) {
            throw CommandFailure.ofInput("There is no file %s.".formatted(file));
        } catch (IOException unreadable) {
            throw CommandFailure.ofInput("Cannot read %s: %s.".formatted(file, unreadable.getMessage()));
        } catch (JacksonException malformed) {
            TokenStreamLocation at = malformed.getLocation();
            throw noJob("line %d, column %d is neither YAML nor JSON".formatted(at.getLineNr(), at.getColumnNr()));
        }
    }

    private CommandFailure noJob(String cause) {
        return CommandFailure.ofInput(
                "%s is not a job: %s. Expected YAML or JSON with name and spec, as in examples/job.yaml."
                        .formatted(file.equals("-") ? "Standard input" : file, cause));
    }
}
