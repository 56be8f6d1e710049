package dev.spur.service.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.round.PendingReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Definitions of the pending reasons in the contract and the reference: those of {@link PendingReason}, in its order.
 */
class PendingReasonsTest {
    private static final Path ROOT = Path.of("..");

    @Test
    void theReferenceHasTheCauseAndRemedyOfEachReason() throws IOException {
        List<String> rows = Files.readAllLines(ROOT.resolve("docs/reference/pending-reasons.md")).stream()
                .filter(line -> line.startsWith("| `"))
                .toList();

        assertThat(rows)
                .containsExactlyElementsOf(Arrays.stream(PendingReason.values())
                        .map(reason -> "| `%s` | %s | %s |".formatted(reason.name(), reason.cause(), reason.remedy()))
                        .toList());
    }

    @Test
    void theContractHasTheCauseAndRemedyOfEachReason() throws IOException {
        String contract = Files.readString(ROOT.resolve("openapi.yaml"));
        String schema =
                contract.substring(contract.indexOf("\n    PendingReason:\n"), contract.indexOf("\n    PendingJob:\n"));

        assertThat(Pattern.compile("- `.*").matcher(schema).results().map(line -> line.group()))
                .containsExactlyElementsOf(Arrays.stream(PendingReason.values())
                        .map(reason -> "- `%s`: %s %s".formatted(reason.name(), reason.cause(), reason.remedy()))
                        .toList());
        assertThat(Pattern.compile("(?m)^      - (\\w+)$")
                        .matcher(schema)
                        .results()
                        .map(line -> line.group(1)))
                .containsExactlyElementsOf(
                        Arrays.stream(PendingReason.values()).map(Enum::name).toList());
    }
}
