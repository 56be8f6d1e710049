package dev.spur.cli;

import static dev.spur.cli.TableColumn.Kind.NUMBER;
import static dev.spur.cli.TableColumn.Kind.TEXT;
import static dev.spur.cli.TableColumn.column;

import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Command {@code spur recommend}. */
@Command(
        name = "recommend",
        description = {
            "Recommend nodes, slots and batch size for a job alone on the cluster, and submit nothing.",
            "The job is stated as for submit, with its amount of work."
        },
        customSynopsis = {
            "spur recommend [OPTIONS] [-- COMMAND...]",
            "       spur recommend [OPTIONS] FILE",
        },
        mixinStandardHelpOptions = true)
public final class RecommendCommand extends ServiceCommand {
    private static final double HOUR = 3600;
    private static final List<TableColumn> COLUMNS = List.of(
            column("NODES", TEXT, "/nodeType"),
            column("SLOTS", NUMBER, "/configuration/slots"),
            column("TYPE", TEXT, "/configuration/acceleratorType"),
            column("BATCH", NUMBER, "/configuration/batchSize"),
            column("TIME", NUMBER, option -> textOf(option.at("/seconds/median"), ServiceCommand::span)),
            column("80 % INTERVAL", TEXT, RecommendCommand::interval),
            column(
                    "COST",
                    NUMBER,
                    option -> textOf(option.at("/cost/median"), cost -> String.format(Locale.ROOT, "%.2f", cost))),
            column("RISK", NUMBER, option -> textOf(option.path("risk"), risk -> percent(option.path("risk")))),
            column("THROUGHPUT", TEXT, "/origin"));

    @Mixin
    private JobOptions job = new JobOptions();

    @Option(names = "--hours", paramLabel = "H", description = "Maximum run time.")
    private @Nullable Double hours;

    @Option(names = "--budget", paramLabel = "COST", description = "Maximum cost, in the unit of the node prices.")
    private @Nullable Double budget;

    @Option(names = "--fastest", description = "Minimize the run time (default: the cost, if --hours is stated).")
    private boolean fastest;

    @Option(names = "--confidence", paramLabel = "P", description = "Probability of the limits (default: 0.9).")
    private @Nullable Double confidence;

    @Override
    CommandOutput execute(ServiceOptions service) throws InterruptedException {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        ObjectNode submission = job.body();
        ObjectNode spec = submission.withObject("/spec");
        if (!spec.has("family") && spec.at("/profile/points").isEmpty()) {
            spec.set("family", submission.path("name"));
        }
        service.nameFields(job::field);
        body.set("spec", spec);
        ObjectNode target = body.putObject("target");
        target.put("minimize", fastest || hours == null ? "TIME" : "COST");
        if (hours != null) {
            target.put("deadlineSeconds", hours * HOUR);
        }
        if (budget != null) {
            target.put("budget", budget);
        }
        if (confidence != null) {
            target.put("confidence", confidence);
        }
        JsonNode found = service.post("/api/v1/recommendations", body);
        return new CommandOutput(
                found,
                List.of(found.at("/chosen/nodeType").asString("")),
                (terminal, wide) -> line(found.path("message").asString())
                        + new TextTable(COLUMNS, found.path("front").values()).text(terminal, wide));
    }

    private static String interval(JsonNode option) {
        return textOf(
                option.at("/seconds/low"),
                low -> "%s to %s"
                        .formatted(span(low), span(option.at("/seconds/high").asDouble())));
    }

    /** Returns the text of a prediction, or {@code unknown} while nothing is known about the speed of the job. */
    private static String textOf(JsonNode value, DoubleFunction<String> text) {
        return value.isNumber() ? text.apply(value.asDouble()) : "unknown";
    }
}
