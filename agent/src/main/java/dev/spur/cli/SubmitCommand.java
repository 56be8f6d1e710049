package dev.spur.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Command {@code spur submit}. */
@Command(
        name = "submit",
        description = {
            "Submit a job, and print its id and state. -o yaml prints it with all defaults.",
            "The job is a command, such as ./spur submit --gpus 1-4 --batch 256 -- torchrun train.py,"
                    + " a file with the body of POST /api/v1/jobs, or a script with #SBATCH lines."
                    + " Options replace values of the file; those for a script precede it."
        },
        customSynopsis = {
            "spur submit [OPTIONS] -- COMMAND...",
            "       spur submit [OPTIONS] FILE",
            "       spur submit [OPTIONS] SCRIPT [ARG..]",
        },
        mixinStandardHelpOptions = true)
public final class SubmitCommand extends ServiceCommand {
    @Mixin
    private JobOptions job = new JobOptions();

    @Mixin
    private StartOptions start = new StartOptions();

    @Option(
            names = {"-a", "--array"},
            paramLabel = "INDICES[%LIMIT]",
            description =
                    "Submit one job for each index, such as 0-99 or 1,3,5-9:2. At most LIMIT run at the same time."
                            + " Each has its index in SPUR_ARRAY_INDEX.")
    private @Nullable String array;

    @Option(names = "--dry-run", description = "Print the job as YAML, and do not submit it.")
    private boolean dryRun;

    @Override
    CommandOutput execute(ServiceOptions service) throws InterruptedException {
        ObjectNode body = job.body();
        for (String warning : job.warnings()) {
            spec().commandLine().getErr().println("spur: Not honored: " + warning);
        }
        spec().commandLine().getErr().flush();
        start.addTo(body);
        String indices = array == null ? job.array() : array;
        ObjectNode request = indices == null ? body : array(indices, body);
        if (dryRun) {
            return CommandOutput.of(request, body.path("name").asString(""), YamlText.of(request));
        }
        service.nameFields(job::field);
        if (job.isScript()) {
            writeTypesAsRegistered(service, body);
        }
        StartOptions.resolve(body, service);
        if (indices != null) {
            return arrayOutput(service.submit("/api/v1/arrays", request));
        }
        JsonNode submitted = service.submit(body);
        return SubmissionText.of(service, submitted)
                .output("Submitted job %s (%s).".formatted(text(submitted.path("id")), text(submitted.path("name"))));
    }

    /** Slurm compares types without regard to case. */
    private static void writeTypesAsRegistered(ServiceOptions service, ObjectNode body) throws InterruptedException {
        if (!(body.at("/spec/elasticity/acceleratorTypes") instanceof ArrayNode types)) {
            return;
        }
        JsonNode known = service.ifAllowed("/api/v1/accelerator-types?limit=500")
                .map(page -> page.path("items"))
                .orElse(types);
        for (int i = 0; i < types.size(); i++) {
            String stated = types.path(i).asString();
            for (JsonNode type : known) {
                String name = type.path("name").asString("");
                if (name.equalsIgnoreCase(stated)) {
                    types.set(i, name);
                }
            }
        }
    }

    private static ObjectNode array(String text, ObjectNode job) {
        ObjectNode request = JsonNodeFactory.instance.objectNode();
        int percent = text.indexOf('%');
        request.put("indices", percent < 0 ? text : text.substring(0, percent));
        if (percent >= 0) {
            try {
                request.put("limit", Integer.parseInt(text.substring(percent + 1)));
            } catch (NumberFormatException noNumber) {
                throw CommandFailure.ofInput(
                        "%s has no number after %%; expected for example 0-99%%20.".formatted(text));
            }
        }
        request.set("job", job);
        return request;
    }

    private static CommandOutput arrayOutput(JsonNode submitted) {
        String id = text(submitted.path("id"));
        return CommandOutput.of(
                submitted,
                id,
                line("Submitted array %s (%s) of %s jobs."
                                .formatted(id, ArrayRow.name(submitted), text(submitted.path("size"))))
                        + line("Next: ./spur jobs --array " + id));
    }
}
