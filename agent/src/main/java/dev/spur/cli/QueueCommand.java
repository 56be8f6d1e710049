package dev.spur.cli;

import static dev.spur.cli.TableColumn.Kind.ID;
import static dev.spur.cli.TableColumn.Kind.NUMBER;
import static dev.spur.cli.TableColumn.Kind.TEXT;
import static dev.spur.cli.TableColumn.Kind.TIME;
import static dev.spur.cli.TableColumn.Kind.WIDE;
import static dev.spur.cli.TableColumn.column;

import java.util.List;
import picocli.CommandLine.Command;

/** Command {@code spur queue}. */
@Command(name = "queue", description = "List pending jobs with their pending reasons.", mixinStandardHelpOptions = true)
public final class QueueCommand extends ReadCommand {
    private static final List<TableColumn> COLUMNS = List.of(
            column("POSITION", NUMBER, "/queuePosition"),
            column("JOB", ID, "/jobId"),
            column("NAME", TEXT, "/name"),
            column("TENANT", WIDE, "/tenant"),
            column("OWNER", TEXT, "/owner"),
            column("WAITING", NUMBER, entry -> span(entry.path("waitingSeconds").asDouble())),
            column("EXPECTED START", TIME, "/eta/median"),
            column("REASON", TEXT, "/reason"),
            column("MESSAGE", TEXT, "/message"));

    @Override
    CommandOutput execute(ServiceOptions service) throws InterruptedException {
        return CommandOutput.list(service.all("/api/v1/queue"), "jobId", "No pending jobs.", COLUMNS);
    }
}
