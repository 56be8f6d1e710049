package dev.spur.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Command {@code spur change JOB}. */
@Command(
        name = "change",
        description = "Change jobs that have not ended. The next round plans with the new values.",
        mixinStandardHelpOptions = true)
public final class JobEditCommand extends ChangeCommand {
    @Parameters(
            arity = "1..*",
            paramLabel = "JOB",
            description = "Job ids, id prefixes, or names. Each failure is reported; the other jobs are changed.")
    private List<String> jobs = List.of();

    @Option(
            names = {"-t", "--time"},
            paramLabel = "TIME",
            converter = SlurmTime.Converter.class,
            description = "Maximum run time: " + SlurmTime.FORMS + ", or unlimited.")
    private @Nullable SlurmTime time;

    @Option(
            names = {"-g", "--gpus"},
            paramLabel = "N|MIN-MAX",
            converter = IntRange.SlotsConverter.class,
            description = "Number of slots.")
    private @Nullable IntRange gpus;

    @Option(names = "--name", description = "Name of the job.")
    private @Nullable String name;

    @Option(names = "--deadline", paramLabel = "TIME", description = "Deadline, such as 2027-01-31T18:00:00Z, or none.")
    private @Nullable String deadline;

    @Option(
            names = "--begin",
            paramLabel = "TIME",
            converter = BeginTime.Converter.class,
            description = "Earliest start: " + BeginTime.FORMS + ".")
    private @Nullable BeginTime begin;

    @Override
    List<String> resources() {
        return jobs;
    }

    @Override
    JsonNode change(ServiceOptions service, String job) throws InterruptedException {
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        if (name != null) {
            patch.put("name", name);
        }
        if (deadline != null) {
            patch.put("deadline", deadline.equals("none") ? null : deadline);
        }
        if (begin != null) {
            begin.putInto(patch);
        }
        if (time != null) {
            time.putInto(patch.withObject("/spec"));
        }
        if (gpus != null) {
            patch.withObject("/spec/elasticity").put("minSlots", gpus.min()).put("maxSlots", gpus.max());
        }
        if (patch.isEmpty()) {
            throw CommandFailure.ofInput("Nothing to change; state an option, such as --time 8:00:00.");
        }
        return service.patch("/api/v1/jobs/" + service.job(job), patch);
    }

    @Override
    String message(JsonNode job) {
        return "Job %s (%s) was changed.".formatted(text(job.path("id")), text(job.path("name")));
    }
}
