package dev.spur.service.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.feeds.ClusterEvent;
import dev.spur.service.jobs.JobEventKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The kinds of events in the contract, the reference and the dashboard are those of the code. */
class JobEventKindsTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern NAME = Pattern.compile("[A-Z]+(?:_[A-Z]+)*");

    @Test
    void theReferenceDescribesEachKind() throws IOException {
        List<String> described = Files.readAllLines(ROOT.resolve("docs/reference/events.md")).stream()
                .filter(line -> line.startsWith("| `"))
                .flatMap(line -> names(line.split("\\|", -1)[1]))
                .filter(name -> !name.equals(ClusterEvent.PLAN_PUBLISHED))
                .toList();

        assertThat(described).containsExactlyInAnyOrderElementsOf(kinds());
    }

    @Test
    void theContractListsEachKind() throws IOException {
        String contract = Files.readString(ROOT.resolve("openapi.yaml"));
        String schema =
                contract.substring(contract.indexOf("\n    FeedKind:\n"), contract.indexOf("\n    EventKind:\n"));

        assertThat(names(schema.substring(schema.indexOf('['))))
                .containsExactlyInAnyOrderElementsOf(
                        Stream.concat(kinds().stream(), Stream.of(ClusterEvent.PLAN_PUBLISHED))
                                .toList());
    }

    @Test
    void theDashboardHasATextForEachKind() throws IOException {
        String page = Files.readString(Path.of("src/main/resources/static/ui/events.js"));
        String texts = page.substring(page.indexOf("const TEXTS"), page.indexOf("\n};"));

        List<String> known = Pattern.compile("(?m)^  ([A-Z_]+): ")
                .matcher(texts)
                .results()
                .map(kind -> kind.group(1))
                .toList();

        assertThat(known).containsExactlyInAnyOrderElementsOf(kinds());
    }

    private static List<String> kinds() {
        return Arrays.stream(JobEventKind.values()).map(Enum::name).toList();
    }

    private static Stream<String> names(String text) {
        return NAME.matcher(text).results().map(MatchResult::group);
    }
}
