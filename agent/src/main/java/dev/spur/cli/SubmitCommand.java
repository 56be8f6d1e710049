package dev.spur.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Command {@code spur submit}. */
@Command(
        name = "submit",
        description = {
            "Submit a job, and print its id and state. -o yaml prints it with all defaults.",
            "The job is a command, such as ./spur submit --gpus 1-4 --batch 256 -- torchrun train.py,"
                    + " or a file with the body of POST /api/v1/jobs. Options replace values of the file."
        },
        customSynopsis = {
            "spur submit [OPTIONS] -- COMMAND...",
            "       spur submit [OPTIONS] FILE",
        },
        mixinStandardHelpOptions = true)
public final class SubmitCommand extends ServiceCommand {
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
        service.nameFields(job::field);
        JsonNode submitted = service.submit(body);
        return SubmissionText.of(service, submitted)
                .output("Submitted job %s (%s).".formatted(text(submitted.path("id")), text(submitted.path("name"))));
    }
}
