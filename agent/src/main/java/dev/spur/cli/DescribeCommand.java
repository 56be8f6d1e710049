package dev.spur.cli;

import static dev.spur.cli.TableColumn.Kind.STATE;
import static dev.spur.cli.TableColumn.Kind.TEXT;
import static dev.spur.cli.TableColumn.Kind.TIME;
import static dev.spur.cli.TableColumn.column;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Command {@code spur describe JOB}. */
@Command(
        name = "describe",
        description = {
            "Print all facts of a job: state, reason, nodes and devices, command, settings and last events.",
            "-o json and -o yaml print the job with its explanation and all events."
        },
        mixinStandardHelpOptions = true)
public final class DescribeCommand extends ReadCommand {
    private static final int SHOWN_EVENTS = 10;
    private static final List<TableColumn> EVENTS = List.of(
            column("AT", TIME, "/at"), column("EVENT", STATE, "/kind"), column("DETAIL", TEXT, EventsCommand::detail));

    @Parameters(paramLabel = "JOB", description = "Job id, id prefix, or name.")
    private String job = "";

    @Override
    CommandOutput execute(ServiceOptions service) throws InterruptedException {
        String id = service.job(job);
        ObjectNode facts = (ObjectNode) service.get("/api/v1/jobs/" + id);
        JsonNode explanation = service.get("/api/v1/jobs/%s/explanation".formatted(id));
        List<JsonNode> events = EventsCommand.events(service, id);
        List<JsonNode> last = events.subList(Math.max(0, events.size() - SHOWN_EVENTS), events.size());
        facts.set("explanation", explanation);
        facts.putArray("events").addAll(events);
        String message = explanation.path("message").asString("");
        return new CommandOutput(
                facts,
                List.of(id),
                (terminal, wide) -> new JobFacts(facts, terminal, wide).lines(message)
                        + line("")
                        + (last.isEmpty() ? line("No events.") : new TextTable(EVENTS, last).text(terminal, wide))
                        + line("")
                        + line("More: ./spur why %1$s, ./spur logs %1$s, ./spur events %1$s".formatted(id)));
    }
}
