package dev.spur.cli;

import static dev.spur.cli.TableColumn.Kind.NUMBER;
import static dev.spur.cli.TableColumn.Kind.TEXT;
import static dev.spur.cli.TableColumn.Kind.WIDE;
import static dev.spur.cli.TableColumn.column;

import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

/** Command {@code spur tenants}. */
@Command(
        name = "tenants",
        aliases = "tenant",
        description = "List tenants with their quotas. ./spur apply creates and changes them.",
        mixinStandardHelpOptions = true)
public final class TenantsCommand extends ReadCommand {
    private static final List<TableColumn> COLUMNS = List.of(
            column("TENANT", TEXT, "/name"),
            column("PARENT", TEXT, "/parent"),
            column("WEIGHT", NUMBER, tenant -> number(tenant.path("weight"))),
            column("SHARE", NUMBER, tenant -> percent(tenant.at("/pastUsage/share"))),
            column("USED", NUMBER, tenant -> percent(tenant.at("/pastUsage/used"))),
            column("FACTOR", WIDE, tenant -> number(tenant.at("/pastUsage/factor"))),
            column("QUOTAS", TEXT, TenantsCommand::quotas));

    @Override
    CommandOutput execute(ServiceOptions service) throws InterruptedException {
        return CommandOutput.list(service.all("/api/v1/tenants"), "name", "There are no tenants.", COLUMNS);
    }

    /** Returns the nominal quota of each type, and the number of slots that the tenant may borrow. */
    private static String quotas(JsonNode tenant) {
        String quotas = tenant.path("quotas").properties().stream()
                .map(quota -> "%s %s%s"
                        .formatted(
                                quota.getKey(),
                                text(quota.getValue().path("nominal")),
                                borrowingLimit(quota.getValue().path("borrowingLimit"))))
                .collect(Collectors.joining(", "));
        return quotas.isEmpty() ? "no limit" : quotas;
    }

    private static String borrowingLimit(JsonNode limit) {
        return limit.isNumber() ? limit.asInt() == 0 ? "" : " (+%s)".formatted(text(limit)) : " (+any)";
    }
}
