package dev.spur.service.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.round.IdleReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Definitions of the reasons of idle slots in the contract and the reference: those of {@link IdleReason}. */
class IdleReasonsTest {
    private static final Path ROOT = Path.of("..");

    @Test
    void theReferenceHasTheCauseOfEachReason() throws IOException {
        List<String> rows = Files.readAllLines(ROOT.resolve("docs/reference/idle-slots.md")).stream()
                .filter(line -> line.startsWith("| `"))
                .toList();

        assertThat(rows)
                .containsExactlyElementsOf(Arrays.stream(IdleReason.values())
                        .map(reason -> "| `%s` | %s |".formatted(reason.name(), reason.cause()))
                        .toList());
    }

    @Test
    void theContractHasTheCauseOfEachReason() throws IOException {
        String contract = Files.readString(ROOT.resolve("openapi.yaml"));
        String schema =
                contract.substring(contract.indexOf("\n    IdleReason:\n"), contract.indexOf("\n    IdleCause:\n"));

        assertThat(Pattern.compile("- `.*").matcher(schema).results().map(MatchResult::group))
                .containsExactlyElementsOf(Arrays.stream(IdleReason.values())
                        .map(reason -> "- `%s`: %s".formatted(reason.name(), reason.cause()))
                        .toList());
        assertThat(Pattern.compile("(?m)^      - (\\w+)$")
                        .matcher(schema)
                        .results()
                        .map(line -> line.group(1)))
                .containsExactlyElementsOf(
                        Arrays.stream(IdleReason.values()).map(Enum::name).toList());
    }
}
