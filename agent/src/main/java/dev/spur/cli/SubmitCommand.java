package dev.spur.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** {@code spur submit FILE}. */
@Command(
        name = "submit",
        description =
                "Submits a job. The file is what POST /api/v1/jobs takes, as YAML or JSON; without an owner it is you.",
        mixinStandardHelpOptions = true)
public final class SubmitCommand extends ServiceCommand {
    private static final YAMLMapper YAML = new YAMLMapper();

    @Parameters(paramLabel = "FILE", description = "The job; - reads standard input.")
    private String file = "-";

    @Override
    String answer(ServiceOptions service) throws InterruptedException {
        JsonNode job = service.submit(read());
        if (service.printsJson()) {
            return json(job);
        }
        String id = job.path("id").asString();
        return line("Job %s (%s) is submitted.".formatted(id, job.path("name").asString()))
                + line("How it fares: ./spur why " + id);
    }

    /** JSON is YAML, so one reader serves both. */
    private JsonNode read() {
        try {
            byte[] bytes = file.equals("-") ? System.in.readAllBytes() : Files.readAllBytes(Path.of(file));
            JsonNode job = YAML.readTree(bytes);
            if (!(job instanceof ObjectNode members)) {
                throw noJob("it holds no object");
            }
            if (!job.has("owner")) {
                members.put("owner", System.getProperty("user.name"));
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
