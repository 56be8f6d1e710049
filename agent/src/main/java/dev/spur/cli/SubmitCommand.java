package dev.spur.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** {@code spur submit FILE}. */
@Command(
        name = "submit",
        description =
                "Submits a job. The file is what POST /api/v1/jobs takes, as YAML or JSON; without an owner it is you.",
        mixinStandardHelpOptions = true)
public final class SubmitCommand extends Ask {
    private static final YAMLMapper YAML = new YAMLMapper();

    @Parameters(paramLabel = "FILE", description = "The job; - reads standard input.")
    private String file = "-";

    @Override
    String answer(Service service) throws InterruptedException {
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
                throw new CommandFailure("%s is no job: expected an object with name and spec.".formatted(file));
            }
            if (!job.has("owner")) {
                members.put("owner", System.getProperty("user.name"));
            }
            return job;
        } catch (NoSuchFileException missing) {
            throw new CommandFailure("There is no file %s.".formatted(file));
        } catch (IOException | JacksonException unreadable) {
            throw new CommandFailure("Cannot read %s: %s".formatted(file, unreadable.getMessage()));
        }
    }
}
