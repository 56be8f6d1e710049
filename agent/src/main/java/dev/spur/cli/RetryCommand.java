package dev.spur.cli;

import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Command {@code spur retry JOB}. */
@Command(
        name = "retry",
        description = {
            "Submit a job again with the same settings, and print the id of the new job.",
            "The new job has no progress, no external id, and no time that has passed.",
            "It starts from the checkpoints of the old job only if its command names their directory."
        },
        mixinStandardHelpOptions = true)
public final class RetryCommand extends ServiceCommand {
    /** Properties that the new job has in common with the old one. */
    private static final List<String> COPIED =
            List.of("kind", "tenant", "owner", "name", "labels", "spec", "command", "waitForHardware", "dependsOn");

    /** Members that a retry keeps until they have passed. */
    private static final List<String> TIMES = List.of("deadline", "notBefore");

    @Parameters(paramLabel = "JOB", description = "Job id, id prefix, or name.")
    private String job = "";

    @Override
    CommandOutput execute(ServiceOptions service) throws InterruptedException {
        JsonNode old = service.get("/api/v1/jobs/" + service.job(job));
        JsonNode submitted = service.submit(submission(old, Instant.now()));
        return SubmissionText.of(service, submitted)
                .output("Submitted job %s again, as %s (%s)."
                        .formatted(text(old.path("id")), text(submitted.path("id")), text(submitted.path("name"))));
    }

    /**
     * Returns the submission of a job with the settings of another.
     *
     * @param now time of the submission
     */
    static ObjectNode submission(JsonNode old, Instant now) {
        ObjectNode copy = JsonNodeFactory.instance.objectNode();
        for (String property : COPIED) {
            if (old.hasNonNull(property)) {
                copy.set(property, old.path(property).deepCopy());
            }
        }
        if (old.hasNonNull("nextCommand")) {
            copy.set("command", old.path("nextCommand").deepCopy());
        }
        for (String time : TIMES) {
            if (old.path(time).isString()
                    && Instant.parse(old.path(time).asString()).isAfter(now)) {
                copy.set(time, old.path(time));
            }
        }
        // An estimate is not a setting; the service makes a new one.
        if (copy.path("spec") instanceof ObjectNode spec
                && spec.at("/work/estimated").asBoolean()) {
            spec.remove("work");
        }
        return copy;
    }
}
