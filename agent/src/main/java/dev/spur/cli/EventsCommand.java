package dev.spur.cli;

import static dev.spur.cli.TableColumn.Kind.STATE;
import static dev.spur.cli.TableColumn.Kind.TEXT;
import static dev.spur.cli.TableColumn.Kind.TIME;
import static dev.spur.cli.TableColumn.column;

import java.io.PrintWriter;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Command {@code spur events JOB}. */
@Command(name = "events", description = "List the events of a job, oldest first.", mixinStandardHelpOptions = true)
public final class EventsCommand extends ServiceCommand {
    private static final int PERIOD_SECONDS = 2;
    private static final Set<String> LAST = Set.of("DONE", "FAILED", "CANCELLED");
    private static final List<TableColumn> COLUMNS = List.of(
            column("AT", TIME, "/at"), column("EVENT", STATE, "/kind"), column("DETAIL", TEXT, EventsCommand::detail));

    @Parameters(paramLabel = "JOB", description = "Job id, id prefix, or name.")
    private String job = "";

    @Option(
            names = {"-f", "--follow"},
            description = "Print new events until the job ends.")
    private boolean follow;

    @Override
    CommandOutput execute(ServiceOptions service) throws InterruptedException {
        return output(events(service, service.job(job)));
    }

    @Override
    void print(ServiceOptions from, PrintWriter out) throws InterruptedException {
        if (!follow) {
            super.print(from, out);
            return;
        }
        String id = from.job(job);
        List<JsonNode> events = events(from, id);
        int printed = 0;
        while (true) {
            if (printed < events.size()) {
                String text =
                        output(events.subList(printed, events.size())).in(formatToFollow(from.format()), terminal());
                out.print(printed == 0 ? text : withoutHeader(from, text));
                out.flush();
                printed = events.size();
            }
            if (!events.isEmpty()
                    && LAST.contains(events.get(events.size() - 1).path("kind").asString())) {
                return;
            }
            TimeUnit.SECONDS.sleep(PERIOD_SECONDS);
            events = events(from, id);
        }
    }

    /** Relative times would become wrong while the command runs. */
    private static OutputFormat formatToFollow(OutputFormat format) {
        return format == OutputFormat.TABLE ? OutputFormat.WIDE : format;
    }

    /** Returns all events of a job, oldest first. */
    static List<JsonNode> events(ServiceOptions service, String id) throws InterruptedException {
        return service.all("/api/v1/jobs/%s/events".formatted(id));
    }

    private static CommandOutput output(List<JsonNode> events) {
        return CommandOutput.list(events, "id", "The job has no events.", COLUMNS);
    }

    private static String withoutHeader(ServiceOptions from, String text) {
        boolean table = from.format() == OutputFormat.TABLE || from.format() == OutputFormat.WIDE;
        return table ? text.substring(text.indexOf('\n') + 1) : text;
    }

    /** Returns the members of the detail as {@code name=value}, and changed settings as {@code name=before->after}. */
    static String detail(JsonNode event) {
        return event.path("detail").properties().stream()
                .map(member -> member.getKey() + "=" + value(member.getValue()))
                .collect(Collectors.joining(" "));
    }

    private static String value(JsonNode member) {
        if (member.has("before") && member.has("after")) {
            return value(member.path("before")) + "->" + value(member.path("after"));
        }
        return member.isValueNode() ? member.asString() : member.toString();
    }
}
