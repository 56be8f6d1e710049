package dev.spur.service.web.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.sun.management.ThreadMXBean;
import dev.spur.model.json.RoundJson;
import dev.spur.model.round.RoundSettings;
import dev.spur.model.whatif.Change;
import dev.spur.service.web.contract.Operation.Parameter;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.BooleanNode;
import tools.jackson.databind.node.ObjectNode;

class ContractTest {
    private static final Contract CONTRACT = Contract.load();

    private static JsonNode node(Operation operation) {
        String path = operation.path().replace("/", "~1");
        return CONTRACT.document()
                .at("/paths/" + path + "/" + operation.method().toLowerCase(java.util.Locale.ROOT));
    }

    @Nested
    class EveryOperation {
        @Test
        void hasAnIdASummaryATagAndRoles() {
            assertThat(CONTRACT.operations()).extracting(Operation::id).doesNotHaveDuplicates();
            assertThat(CONTRACT.operations()).allSatisfy(operation -> {
                assertThat(operation.id()).isNotBlank();
                assertThat(node(operation).path("summary").asString("")).isNotBlank();
                assertThat(node(operation).path("tags").size()).isEqualTo(1);
                assertThat(node(operation).has("x-spur-roles"))
                        .as(operation.id())
                        .isTrue();
                assertThat(operation.roles().isEmpty())
                        .as(operation.id())
                        .isEqualTo(!operation.path().startsWith("/api/"));
                assertThat(node(operation).path("security").isArray())
                        .as("%s requires no token", operation.id())
                        .isEqualTo(operation.roles().isEmpty());
            });
        }

        @Test
        void hasAShortSummaryAndADescription() {
            assertThat(CONTRACT.operations()).allSatisfy(operation -> {
                JsonNode node = node(operation);
                assertThat(node.path("summary").asString("")).as(operation.id()).hasSizeLessThanOrEqualTo(60);
                assertThat(node.path("description").asString("").strip())
                        .as(operation.id())
                        .endsWith(".");
                for (JsonNode response : node.path("responses")) {
                    assertThat(CONTRACT.resolve(response).path("description").asString(""))
                            .as(operation.id())
                            .endsWith(".")
                            .isNotIn("A page.", "It is gone.", "Yes.", "No.");
                }
                for (JsonNode tag : node.path("tags")) {
                    assertThat(CONTRACT.document().path("tags"))
                            .extracting(entry -> entry.path("name"))
                            .contains(tag);
                }
            });
        }

        @Test
        void declaresTheAnswersThatAreAlwaysPossible() {
            assertThat(CONTRACT.operations())
                    .filteredOn(operation -> operation.path().startsWith("/api/"))
                    .allSatisfy(operation -> {
                        var codes = node(operation).path("responses").propertyNames();
                        assertThat(codes).contains("400", "401", "403", "406", "500", "503");
                        if (!operation.bodies().isEmpty()) {
                            assertThat(codes).contains("413", "415", "422");
                        }
                        if (operation.path().contains("{")) {
                            assertThat(codes).as(operation.id()).containsAnyOf("404", "201");
                        }
                    });
        }

        /** Only what is required has an example of its own: the page at /docs would send the others along. */
        @Test
        void hasParametersWithExamplesThatFit() {
            assertThat(CONTRACT.operations()).allSatisfy(operation -> {
                for (JsonNode entry : node(operation).path("parameters")) {
                    JsonNode parameter = CONTRACT.resolve(entry);
                    boolean required = parameter.path("required").asBoolean(false);
                    JsonNode example = required ? parameter.path("example") : parameter.at("/schema/examples/0");
                    String name = parameter.path("name").asString();
                    Parameter known = operation.parameters().stream()
                            .filter(p -> p.name().equals(name))
                            .findFirst()
                            .orElseThrow();
                    assertThat(example.isMissingNode()).as(name).isFalse();
                    assertThat(parameter.has("example")).as(name).isEqualTo(required);
                    assertThat(known.check().errors(example)).as(name).isEmpty();
                }
            });
        }

        @Test
        void hasExamplesThatFitItsSchemas() {
            List<String> misfits = new ArrayList<>();
            for (Operation operation : CONTRACT.operations()) {
                String place = "/paths/" + operation.path().replace("/", "~1") + "/"
                        + operation.method().toLowerCase(java.util.Locale.ROOT);
                contents(place + "/requestBody", node(operation).path("requestBody"), misfits);
                node(operation).path("responses").properties().forEach(response -> {
                    String at = response.getValue().has("$ref")
                            ? response.getValue().path("$ref").asString().substring(1)
                            : place + "/responses/" + response.getKey();
                    contents(at, CONTRACT.resolve(response.getValue()), misfits);
                });
            }
            assertThat(misfits).isEmpty();
        }

        private void contents(String place, JsonNode holder, List<String> misfits) {
            for (Map.Entry<String, JsonNode> content : holder.path("content").properties()) {
                String at = place + "/content/" + content.getKey().replace("/", "~1");
                SchemaCheck check = CONTRACT.check(at + "/schema");
                if (content.getValue().path("examples").isEmpty()) {
                    misfits.add(at + " has no example");
                }
                content.getValue().path("examples").properties().forEach(example -> {
                    JsonNode value = CONTRACT.resolve(example.getValue()).path("value");
                    check.errors(value).forEach(error -> misfits.add(at + " " + example.getKey() + " " + error));
                });
            }
        }
    }

    /** The service refuses U+0000 everywhere, so no schema of a request may allow it. */
    @Test
    void noTextOrNameInARequestMayContainU0000() {
        Set<String> allowing = new TreeSet<>();
        Set<String> seen = new HashSet<>();
        for (Operation operation : CONTRACT.operations()) {
            node(operation)
                    .at("/requestBody/content")
                    .forEach(content -> strings(content.path("schema"), operation.id(), seen, allowing));
            for (JsonNode entry : node(operation).path("parameters")) {
                JsonNode parameter = CONTRACT.resolve(entry);
                if (!parameter.path("in").asString().equals("header")) {
                    strings(
                            parameter.path("schema"),
                            operation.id() + "?" + parameter.path("name").asString(),
                            seen,
                            allowing);
                }
            }
        }
        assertThat(allowing).isEmpty();
    }

    private static void strings(JsonNode schema, String place, Set<String> seen, Set<String> allowing) {
        if (schema.isMissingNode()) {
            return;
        }
        if (schema.has("$ref") && seen.add(schema.path("$ref").asString())) {
            String reference = schema.path("$ref").asString();
            strings(CONTRACT.target(reference), reference, seen, allowing);
        }
        boolean isText = schema.path("type").toString().contains("\"string\"");
        if (isText
                && !excludesU0000(schema)
                && !excludesU0000(CONTRACT.target(schema.path("$ref").asString("#")))) {
            allowing.add(place);
        }
        boolean hasFreeNames = schema.path("type").asString("").equals("object")
                && schema.has("additionalProperties")
                && !schema.path("additionalProperties").equals(BooleanNode.FALSE);
        if (hasFreeNames && !excludesU0000(CONTRACT.resolve(schema.path("propertyNames")))) {
            allowing.add(place + " (names)");
        }
        schema.path("properties")
                .properties()
                .forEach(property -> strings(property.getValue(), place + "/" + property.getKey(), seen, allowing));
        for (String part : List.of("items", "additionalProperties", "then")) {
            strings(schema.path(part), place + "/" + part, seen, allowing);
        }
        for (String list : List.of("anyOf", "allOf")) {
            schema.path(list).forEach(part -> strings(part, place + "/" + list, seen, allowing));
        }
    }

    private static boolean excludesU0000(JsonNode rule) {
        return rule.has("enum")
                || rule.has("const")
                || rule.has("format")
                || (rule.has("pattern")
                        && !Pattern.compile(rule.path("pattern").asString())
                                .matcher("a\u0000a")
                                .find());
    }

    @Test
    void everySchemaAndPropertyIsDescribed() {
        List<String> missing = new ArrayList<>();
        CONTRACT.document().at("/components/schemas").properties().forEach(schema -> {
            if (schema.getValue().path("description").asString("").isBlank()) {
                missing.add(schema.getKey());
            }
            collectUndescribed(schema.getKey(), schema.getValue(), missing);
        });
        assertThat(missing).isEmpty();
    }

    private static void collectUndescribed(String path, JsonNode schema, List<String> missing) {
        if (!schema.isObject()) {
            return;
        }
        schema.path("properties").properties().forEach(property -> {
            String name = path + "." + property.getKey();
            if (property.getValue().isObject()
                    && property.getValue().path("description").asString("").isBlank()) {
                missing.add(name);
            }
            collectUndescribed(name, property.getValue(), missing);
        });
        for (String inner : List.of("items", "additionalProperties")) {
            collectUndescribed(path, schema.path(inner), missing);
        }
        for (String choice : List.of("oneOf", "anyOf", "allOf")) {
            schema.path(choice).forEach(option -> collectUndescribed(path, option, missing));
        }
    }

    @Test
    void theProblemTypesAreThoseOfTheCode() {
        JsonNode types = CONTRACT.document().at("/components/schemas/Problem/properties/type/enum");

        assertThat(types.valueStream().map(JsonNode::asString))
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(ProblemType.values())
                        .map(ProblemType::uri)
                        .toList());
    }

    @Test
    void theChangesOfAWhatIfAreThoseOfTheModel() {
        List<String> kinds = Arrays.stream(
                        Change.class.getAnnotation(JsonSubTypes.class).value())
                .map(JsonSubTypes.Type::name)
                .toList();
        JsonNode change = CONTRACT.document().at("/components/schemas/WhatIfChange");

        assertThat(change.at("/properties/change/enum").valueStream().map(JsonNode::asString))
                .containsExactlyInAnyOrderElementsOf(kinds);
        assertThat(change.path("allOf")
                        .valueStream()
                        .map(part -> part.at("/if/properties/change/const").asString()))
                .containsExactlyInAnyOrderElementsOf(kinds);
    }

    @Test
    void objectsInRequestsAllowNothingUnknown() {
        assertThat(CONTRACT.document().at("/components/schemas").properties())
                .filteredOn(
                        schema -> schema.getValue().path("type").asString("").equals("object"))
                .filteredOn(schema -> !schema.getKey().equals("WhatIfChange"))
                .allSatisfy(schema -> assertThat(schema.getValue().has("additionalProperties"))
                        .as(schema.getKey())
                        .isTrue());
    }

    @Test
    void whatIsLeftOutOfTheSettingsTakesTheDefaultsOfTheModel() {
        ObjectNode empty = RoundJson.mapper().createObjectNode();
        CONTRACT.check("/components/schemas/RoundSettings").fillInDefaults(empty);

        assertThat(RoundJson.mapper().treeToValue(empty, RoundSettings.class)).isEqualTo(RoundSettings.DEFAULT);
    }

    @Nested
    class Schemas {
        @Test
        void areCompiledFromOneCopyOfTheFile() {
            Contract contract = Contract.load();
            long before = allocatedBytes();

            contract.document()
                    .at("/components/schemas")
                    .propertyNames()
                    .forEach(name -> contract.check("/components/schemas/" + name));

            assertThat(allocatedBytes() - before).isLessThan(100_000_000);
        }

        private static long allocatedBytes() {
            return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
        }
    }
}
