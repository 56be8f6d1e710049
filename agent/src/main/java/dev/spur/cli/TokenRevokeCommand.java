package dev.spur.cli;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Command {@code spur token revoke TOKEN...}. */
@Command(
        name = "revoke",
        description = "Revoke tokens. Requests with them fail from now on.",
        mixinStandardHelpOptions = true)
final class TokenRevokeCommand extends ChangeCommand {
    @Parameters(arity = "1..*", paramLabel = "TOKEN", description = "Token ids, id prefixes, or names.")
    private List<String> tokens = List.of();

    @Override
    List<String> resources() {
        return tokens;
    }

    @Override
    JsonNode change(ServiceOptions service, String token) throws InterruptedException {
        List<JsonNode> found = service.all("/api/v1/tokens?state=ACTIVE").stream()
                .filter(item -> text(item.path("id")).startsWith(token)
                        || text(item.path("name")).equals(token))
                .toList();
        if (found.size() != 1) {
            throw new CommandFailure(
                    found.isEmpty()
                            ? "No valid token has the id, id prefix or name %s. ./spur token list lists the tokens."
                                    .formatted(token)
                            : "%s matches %d tokens. State a name, or more characters of the id."
                                    .formatted(token, found.size()));
        }
        service.delete("/api/v1/tokens/" + text(found.get(0).path("id")));
        return found.get(0);
    }

    @Override
    String message(JsonNode token) {
        return "Token %s (%s) is revoked.".formatted(text(token.path("id")), text(token.path("name")));
    }
}
