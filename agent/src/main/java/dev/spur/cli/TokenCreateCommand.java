package dev.spur.cli;

import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Command {@code spur token create NAME}. */
@Command(
        name = "create",
        description = "Issue a token and print its secret, which the service does not show again.",
        mixinStandardHelpOptions = true)
final class TokenCreateCommand extends ServiceCommand {
    private static final Pattern SPAN = Pattern.compile("([0-9]+)([hd])");
    /** Longest lifetime in the contract of the service. */
    private static final Duration LONGEST = Duration.ofDays(3650);

    /** Role of a caller. */
    enum Role {
        VIEWER,
        SUBMITTER,
        EXECUTOR,
        OPERATOR;

        /** Returns the value of the option {@code --role}. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Parameters(paramLabel = "NAME", description = "Name of the caller in the audit log.")
    private String name = "";

    @Option(
            names = "--role",
            paramLabel = "ROLE",
            required = true,
            description =
                    "viewer: reads; submitter: submits and changes jobs; executor: an agent; operator: everything.")
    private Role role = Role.VIEWER;

    @Option(
            names = "--tenant",
            paramLabel = "NAME",
            split = ",",
            description = "Tenants to which a viewer or submitter is confined (default: none).")
    private List<String> tenants = List.of();

    @Option(names = "--node", paramLabel = "NODE", description = "Node to which an executor is confined.")
    private @Nullable String node;

    @Option(
            names = "--expires",
            paramLabel = "TIME",
            description = "Time until it expires, such as 12h or 30d, up to 3650d, or never (default: 90d).")
    private @Nullable String expires;

    @Override
    CommandOutput execute(ServiceOptions service) throws InterruptedException {
        service.nameFields(TokenCreateCommand::field);
        JsonNode issued = service.post("/api/v1/tokens", request());
        JsonNode token = issued.path("token");
        String secret = text(issued.path("secret"));
        return CommandOutput.of(
                issued,
                text(token.path("id")),
                line("Issued token %s with the role %s%s."
                                .formatted(
                                        text(token.path("name")),
                                        text(token.path("role")),
                                        token.path("expiresAt").isString()
                                                ? ", which expires at " + text(token.path("expiresAt"))
                                                : ", which does not expire"))
                        + line("Secret (shown only once): " + secret)
                        + line(
                                role == Role.EXECUTOR
                                        ? "Start the agent: SPUR_TOKEN=%s ./spur agent --service %s%s"
                                                .formatted(
                                                        secret,
                                                        service.address(),
                                                        node == null ? "" : " --node " + node)
                                        : "Use it: ./spur login %s".formatted(service.address())));
    }

    private ObjectNode request() {
        ObjectNode request = JsonNodeFactory.instance.objectNode();
        request.put("name", name).put("role", role.name());
        if (!tenants.isEmpty()) {
            tenants.forEach(request.putArray("tenants")::add);
        }
        if (node != null) {
            request.put("node", node);
        }
        if (expires != null) {
            request.put("expiresInSeconds", seconds(expires));
        }
        return request;
    }

    private static @Nullable Long seconds(String span) {
        if (span.equals("never")) {
            return null;
        }
        Matcher match = SPAN.matcher(span);
        if (!match.matches()) {
            throw CommandFailure.ofInput(
                    "--expires %s is not a time; expected hours or days, such as 12h or 30d, or never."
                            .formatted(span));
        }
        Duration unit = match.group(2).equals("d") ? Duration.ofDays(1) : Duration.ofHours(1);
        BigInteger seconds = new BigInteger(match.group(1)).multiply(BigInteger.valueOf(unit.toSeconds()));
        if (seconds.signum() == 0 || seconds.compareTo(BigInteger.valueOf(LONGEST.toSeconds())) > 0) {
            throw CommandFailure.ofInput(
                    "--expires %s is out of range; expected 1h to %dd, or never.".formatted(span, LONGEST.toDays()));
        }
        return seconds.longValueExact();
    }

    private static String field(String pointer) {
        String property = ProblemText.property(pointer).replaceFirst("[.].*", "");
        return switch (property) {
            case "name" -> "NAME";
            case "role", "node" -> "--" + property;
            case "tenants" -> "--tenant";
            case "expiresInSeconds" -> "--expires";
            default -> property;
        };
    }
}
