package dev.spur.service.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.testing.ServiceTest;
import dev.spur.service.web.contract.ContractedClient;
import dev.spur.service.web.contract.ProblemType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;

/** Code, contract and documentation list the same problem types, and each type resolves. */
class ProblemTypesTest extends ServiceTest {
    @LocalServerPort
    private int port;

    private ContractedClient api;

    @BeforeEach
    void connect() {
        api = new ContractedClient(port);
    }

    @ParameterizedTest
    @EnumSource
    void aTypeResolvesToADocumentAndToAPage(ProblemType type) {
        JsonNode described = api.get(type.uri()).is(200).json();
        assertThat(described.path("type").asString()).isEqualTo(type.uri());
        assertThat(described.path("title").asString()).isEqualTo(type.title());
        assertThat(described.path("status").intValue()).isEqualTo(type.status());
        assertThat(described.path("cause").asString()).isEqualTo(type.cause());
        assertThat(described.path("remedy").asString()).isEqualTo(type.remedy());

        assertThat(api.get(type.uri(), "Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
                        .is(200)
                        .text())
                .contains("<h1>" + type.title() + "</h1>", "status " + type.status());
    }

    @Test
    void theTypeOfAnErrorResolves() {
        JsonNode problem = api.get("/api/v1/jobs/11111111-1111-4111-8111-111111111111")
                .is(ProblemType.NOT_FOUND)
                .json();
        assertThat(api.get(problem.path("type").asString()).is(200).at("/title"))
                .isEqualTo(problem.path("title").asString());
        api.get("/problems/no-such-type").is(ProblemType.NOT_FOUND);
    }

    @Test
    void theContractListsTheTypesOfTheCode() {
        JsonNode listed = ContractedClient.contract().document().at("/components/schemas/Problem/properties/type/enum");
        assertThat(listed.valueStream().map(JsonNode::asString))
                .containsExactlyElementsOf(Arrays.stream(ProblemType.values())
                        .map(ProblemType::uri)
                        .toList());
    }

    @Test
    void theExamplesOfTheContractHaveTheTitlesOfTheCode() {
        List<JsonNode> examples = ContractedClient.contract().document().findParents("type").stream()
                .filter(node -> node.path("type").asString("").startsWith(ProblemType.PATH) && node.has("title"))
                .toList();
        assertThat(examples).hasSizeGreaterThan(20).allSatisfy(example -> {
            ProblemType type = Arrays.stream(ProblemType.values())
                    .filter(known -> known.uri().equals(example.path("type").asString()))
                    .findFirst()
                    .orElseThrow();
            assertThat(example.path("title").asString()).isEqualTo(type.title());
            assertThat(example.path("status").intValue()).isEqualTo(type.status());
        });
    }

    @Test
    void theDocumentationListsTheTypesOfTheCode() throws IOException {
        List<String> rows = Files.readString(Path.of("../docs/reference/problem-types.md"))
                .lines()
                .filter(line -> line.startsWith("| `/problems/"))
                .toList();
        assertThat(rows)
                .containsExactlyElementsOf(Arrays.stream(ProblemType.values())
                        .map(type -> "| `%s` | %d | %s | %s | %s |"
                                .formatted(type.uri(), type.status(), type.title(), type.cause(), type.remedy()))
                        .toList());
    }
}
