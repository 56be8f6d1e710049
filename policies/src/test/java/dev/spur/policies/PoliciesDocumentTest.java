package dev.spur.policies;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Holds {@code docs/reference/policies.md} against {@link PolicyRegistry}. */
class PoliciesDocumentTest {
    private static final Path DOCUMENT = Path.of("..", "docs", "reference", "policies.md");

    @Test
    void theTableMatchesTheRegistry() throws IOException {
        List<String> rows = Files.readAllLines(DOCUMENT).stream()
                .filter(line -> line.startsWith("| `")
                        && line.chars().filter(c -> c == '|').count() == 5)
                .toList();

        assertThat(rows)
                .containsExactlyElementsOf(PolicyRegistry.all().stream()
                        .map(PoliciesDocumentTest::row)
                        .toList());
    }

    private static String row(PolicyEntry entry) {
        String known = switch (entry.provenance()) {
            case OWN -> "own";
            case CERTAIN -> "certain";
            case FROM_ANOTHER_IMPLEMENTATION -> "other";
            case RECONSTRUCTION -> "reconstruction";
        };
        return "| `%s` | %s | %s | %s |".formatted(entry.name(), entry.idea(), entry.source(), known);
    }
}
