package dev.spur.service.executors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.json.RoundJson;
import dev.spur.service.rounds.TestRounds;
import dev.spur.service.testing.ServiceTest;
import dev.spur.service.web.contract.ContractedClient;
import dev.spur.service.web.contract.ContractedClient.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;

/**
 * Replays the requests of docs/reference/executor-protocol.md. Each block is a request line, a body, an empty line, a
 * status, and members that the answer has. A text that begins with a dollar sign stands for a value: the first answer
 * gives it, later ones must agree.
 */
class ProtocolDocTest extends ServiceTest {
    private static final Pattern BLOCK =
            Pattern.compile("```http\n(\\S+) (\\S+)\n(.*?)\n?\n(\\d+) (.*?)\n```", Pattern.DOTALL);

    @Autowired
    private TestRounds rounds;

    @LocalServerPort
    private int port;

    private final Map<String, String> values = new HashMap<>();

    @Test
    void everyRequestOfTheProtocolIsAnsweredAsThePageSays() throws IOException {
        rounds.begin();
        ContractedClient api = new ContractedClient(port);
        Matcher blocks = BLOCK.matcher(Files.readString(Path.of("../docs/reference/executor-protocol.md")));
        int count = 0;
        while (blocks.find()) {
            count++;
            String request = blocks.group(1) + " " + blocks.group(2);
            String body = filled(blocks.group(3));
            Answer answer = api.send(blocks.group(1), filled(blocks.group(2)), body.isEmpty() ? null : body);
            assertThat(answer.status())
                    .as("%s: %s", request, answer.text())
                    .isEqualTo(Integer.parseInt(blocks.group(4)));
            agree(request, RoundJson.mapper().readTree(blocks.group(5)), answer.json());
            if (request.equals("POST /api/v1/rounds")) {
                rounds.run();
            }
        }
        assertThat(count).isGreaterThan(10);
    }

    private String filled(String text) {
        String filled = text;
        for (Map.Entry<String, String> value : values.entrySet()) {
            filled = filled.replace(value.getKey(), value.getValue());
        }
        return filled;
    }

    private void agree(String place, JsonNode expected, JsonNode got) {
        if (expected.isObject()) {
            expected.properties()
                    .forEach(member ->
                            agree(place + "/" + member.getKey(), member.getValue(), got.path(member.getKey())));
        } else if (expected.isArray()) {
            assertThat(got.size()).as(place).isEqualTo(expected.size());
            for (int i = 0; i < expected.size(); i++) {
                agree(place + "/" + i, expected.get(i), got.path(i));
            }
        } else if (expected.isNumber()) {
            assertThat(got.asDouble()).as(place).isEqualTo(expected.asDouble());
        } else if (expected.isString()
                && expected.asString().startsWith("$")
                && !expected.asString().contains(".")) {
            assertThat(got.isMissingNode()).as(place).isFalse();
            assertThat(values.computeIfAbsent(expected.asString(), name -> got.asString()))
                    .as(place)
                    .isEqualTo(got.asString());
        } else {
            assertThat(got.isMissingNode()).as(place).isFalse();
            assertThat(got.asString()).as(place).isEqualTo(filled(expected.asString()));
        }
    }
}
