package dev.spur.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
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
    private DependencyOptions dependencies = new DependencyOptions();

    @Option(names = "--dry-run", description = "Print the job as YAML, and do not submit it.")
    private boolean dryRun;

    @Override
    CommandOutput execute(ServiceOptions service) throws InterruptedException {
        ObjectNode body = job.body();
        for (String warning : job.warnings()) {
            spec().commandLine().getErr().println("spur: Not honored: " + warning);
        }
        spec().commandLine().getErr().flush();
        dependencies.addTo(body);
        if (dryRun) {
            return CommandOutput.of(body, body.path("name").asString(""), YamlText.of(body));
        }
        service.nameFields(job::field);
        if (job.isScript()) {
            writeTypesAsRegistered(service, body);
        }
        DependencyOptions.resolve(body, service);
        JsonNode submitted = service.submit(body);
        return SubmissionText.of(service, submitted)
                .output("Submitted job %s (%s).".formatted(text(submitted.path("id")), text(submitted.path("name"))));
    }

    /** Slurm compares types without regard to case. */
    private static void writeTypesAsRegistered(ServiceOptions service, ObjectNode body) throws InterruptedException {
        if (!(body.at("/spec/elasticity/acceleratorTypes") instanceof ArrayNode types)) {
            return;
        }
        JsonNode known = service.ifAllowed("/api/v1/accelerator-types?limit=1000")
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
}
