package dev.spur.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.web.contract.Contract;
import dev.spur.service.web.contract.ContractedClient;
import dev.spur.service.web.contract.Operation;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** The service does not refuse the form of any example of the contract. What the examples name need not exist. */
class ContractExamplesTest extends ApiTest {
    /** Conditions on a resource that the examples do not create. */
    private static final Set<String> CONDITIONS = Set.of("If-Match", "If-None-Match");

    private static final Contract CONTRACT = ContractedClient.contract();

    private static JsonNode node(Operation operation) {
        return CONTRACT.document()
                .at("/paths/" + operation.path().replace("/", "~1") + "/"
                        + operation.method().toLowerCase(Locale.ROOT));
    }

    private static JsonNode resolve(JsonNode node) {
        return node.has("$ref")
                ? CONTRACT.document().at(node.path("$ref").asString().substring(1))
                : node;
    }

    /** Each operation with each example of its body. */
    static Stream<Arguments> examples() {
        List<Arguments> all = new ArrayList<>();
        for (Operation operation : CONTRACT.operations()) {
            JsonNode content = node(operation).path("requestBody").path("content");
            if (content.isEmpty()) {
                all.add(Arguments.of(operation.id(), "", operation, null, null));
            }
            content.properties()
                    .forEach(type -> type.getValue()
                            .path("examples")
                            .properties()
                            .forEach(example -> all.add(Arguments.of(
                                    operation.id(),
                                    example.getKey(),
                                    operation,
                                    type.getKey(),
                                    resolve(example.getValue()).path("value").toString()))));
        }
        return all.stream();
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("examples")
    void isTaken(String id, String example, Operation operation, String type, String body) {
        String path = operation.path();
        StringBuilder query = new StringBuilder();
        Map<String, String> headers = new HashMap<>();
        if (type != null) {
            headers.put("Content-Type", type);
        }
        for (JsonNode entry : node(operation).path("parameters")) {
            JsonNode parameter = resolve(entry);
            String name = parameter.path("name").asString();
            JsonNode value = parameter.has("example") ? parameter.path("example") : parameter.at("/schema/examples/0");
            switch (parameter.path("in").asString()) {
                case "path" -> path = path.replaceFirst("\\{" + name + "}", Matcher.quoteReplacement(encoded(value)));
                case "query" ->
                    (value.isArray() ? value.valueStream() : Stream.of(value))
                            .forEach(one -> query.append(query.isEmpty() ? '?' : '&')
                                    .append(name)
                                    .append('=')
                                    .append(encoded(one)));
                default -> {
                    if (!CONDITIONS.contains(name)) {
                        headers.put(name, value.asString());
                    }
                }
            }
        }
        String[] pairs = headers.entrySet().stream()
                .flatMap(header -> Stream.of(header.getKey(), header.getValue()))
                .toArray(String[]::new);

        var answer = api.send(operation.method(), path + query, body, pairs);

        assertThat(answer.status())
                .as("%s%s: %s", path, query, answer.text())
                .isNotIn(400, 406, 413, 415)
                .isLessThan(500);
    }

    private static String encoded(JsonNode value) {
        return URLEncoder.encode(value.asString(), StandardCharsets.UTF_8).replace("+", "%20");
    }
}
