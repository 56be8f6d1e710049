package dev.spur.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Help.Ansi;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The facts of a job, compared with the members that the contract has. */
class JobFactsTest {
    private static final int DEPTH = 2;
    private static JsonNode contract;

    @BeforeAll
    static void readContract() throws Exception {
        contract = YamlText.MAPPER.readTree(Files.readString(Path.of("..", "openapi.yaml")));
    }

    /** Returns a value of a schema that is not its default, with all members down to a depth. */
    private static JsonNode value(JsonNode stated) {
        JsonNode schema = stated.has("$ref")
                ? contract.at(stated.path("$ref").asString().substring(1))
                : stated.path("anyOf").isArray() ? stated.at("/anyOf/0") : stated;
        if (schema.has("$ref")) {
            return value(schema);
        }
        JsonNode types = schema.path("type");
        String type = types.isArray() ? types.path(0).asString() : types.asString();
        JsonNodeFactory factory = JsonNodeFactory.instance;
        return switch (type) {
            case "object" -> object(schema);
            case "array" -> factory.arrayNode().add(value(schema.path("items")));
            case "boolean" -> factory.booleanNode(!schema.path("default").asBoolean(false));
            case "integer", "number" -> factory.numberNode(7);
            default ->
                factory.stringNode(
                        schema.has("enum")
                                ? schema.path("enum")
                                        .path(schema.path("enum").size() - 1)
                                        .asString()
                                : "word");
        };
    }

    private static ObjectNode object(JsonNode schema) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        schema.path("properties").properties().forEach(member -> object.set(member.getKey(), value(member.getValue())));
        if (object.isEmpty()) {
            object.put("name", 7);
        }
        return object;
    }

    private static String facts(JsonNode job) {
        return new JobFacts(job, new Terminal(Ansi.OFF, Terminal.UNLIMITED, Instant.EPOCH), true).lines("");
    }

    private static List<String> pointers(String pointer, JsonNode value, int depth) {
        if (!value.isObject() || depth == 0) {
            return List.of(pointer);
        }
        List<String> found = new ArrayList<>();
        value.properties()
                .forEach(member ->
                        found.addAll(pointers(pointer + "/" + member.getKey(), member.getValue(), depth - 1)));
        return found;
    }

    @Test
    void stateEachMemberOfTheSpecificationAndOfTheCommand() {
        ObjectNode job = JsonNodeFactory.instance.objectNode();
        job.set("spec", value(contract.at("/components/schemas/JobSpec")));
        job.set("command", value(contract.at("/components/schemas/Command")));
        String all = facts(job);
        List<String> members = new ArrayList<>(pointers("/spec", job.path("spec"), DEPTH));
        members.addAll(pointers("/command", job.path("command"), 1));

        assertThat(members).contains("/spec/elasticity/maxNodes", "/spec/changeCosts/rescaleSeconds", "/command/env");
        assertThat(members).allSatisfy(member -> {
            ObjectNode without = job.deepCopy();
            int last = member.lastIndexOf('/');
            ((ObjectNode) without.at(member.substring(0, last))).remove(member.substring(last + 1));
            assertThat(facts(without)).as(member).isNotEqualTo(all);
        });
    }
}
