package dev.spur.cli;

import static dev.spur.cli.TableColumn.Kind.ID;
import static dev.spur.cli.TableColumn.Kind.TEXT;
import static dev.spur.cli.TableColumn.Kind.TIME;
import static dev.spur.cli.TableColumn.Kind.WIDE;
import static dev.spur.cli.TableColumn.column;

import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** Command {@code spur token list}. */
@Command(name = "list", description = "List tokens that are valid, newest first.", mixinStandardHelpOptions = true)
final class TokenListCommand extends ReadCommand {
    private static final List<TableColumn> COLUMNS = List.of(
            column("TOKEN", ID, "/id"),
            column("NAME", TEXT, "/name"),
            column("ROLE", TEXT, "/role"),
            column("CONFINED TO", TEXT, TokenListCommand::scope),
            column("CREATED", TIME, "/createdAt"),
            column("BY", WIDE, "/createdBy"),
            column("EXPIRES", TIME, "/expiresAt"),
            column("LAST USED", TIME, "/lastUsedAt"),
            column("REVOKED", WIDE, "/revokedAt"));

    @Option(
            names = {"-a", "--all"},
            description = "Include expired and revoked tokens.")
    private boolean all;

    @Override
    CommandOutput execute(ServiceOptions service) throws InterruptedException {
        return CommandOutput.list(
                service.all("/api/v1/tokens" + (all ? "" : "?state=ACTIVE")), "id", "There are no tokens.", COLUMNS);
    }

    private static String scope(JsonNode token) {
        if (token.path("node").isString()) {
            return "node " + text(token.path("node"));
        }
        return token.path("tenants").isArray()
                ? token.path("tenants")
                        .valueStream()
                        .map(JsonNode::asString)
                        .collect(Collectors.joining(", ", "tenants ", ""))
                : "-";
    }
}
