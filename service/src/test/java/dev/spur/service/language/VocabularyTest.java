package dev.spur.service.language;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Names in code, contract, metrics and database are nouns and verbs of the field, and no type name is used twice. */
class VocabularyTest {
    /** Type names that two modules use for the same concept, with the reason. */
    private static final Map<String, String> USED_TWICE = Map.of(
            "Assignment", "the executor's protocol message and the agent's record of it", "package-info", "not a type");

    private static final List<String> MODULES = List.of(
            "model", "solver", "policies", "prediction", "simulator", "agent", "connectors", "service", "benchmarks");

    private static final Set<String> DENIED = Set.of(
            "anew",
            "asked",
            "awaits",
            "beside",
            "believed",
            "comer",
            "custody",
            "dearest",
            "desk",
            "disguise",
            "door",
            "fares",
            "fate",
            "fewest",
            "foretold",
            "forgetful",
            "forgetting",
            "gathering",
            "heard",
            "journey",
            "judge",
            "lore",
            "mending",
            "misfits",
            "nobody",
            "overtaken",
            "patience",
            "somebody",
            "steward",
            "telling",
            "tell",
            "told",
            "trouble",
            "tripped",
            "vigil",
            "whoever",
            "worth",
            "ageing",
            "utilisation",
            "sentence",
            "reasontoken",
            "deferral",
            "rollcall",
            "courier",
            "promise",
            "retune",
            "persons",
            "people");

    private static final Pattern TYPE = Pattern.compile("^([A-Z][A-Za-z0-9]*)\\.java$");
    private static final Pattern CAMEL = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+|_");
    private static final Pattern ROUTE = Pattern.compile("(?m)^  (/\\S*):");
    private static final Pattern PROPERTY = Pattern.compile("(?m)^ {8,}([a-zA-Z]\\w*):");
    private static final Pattern METRIC = Pattern.compile("\"(spur[._][a-z0-9._]+)\"");
    private static final Pattern COLUMN =
            Pattern.compile("(?m)^\\s+([a-z_]+) +(?:text|bigint|integer|jsonb|boolean|timestamptz|double)");

    @Test
    void noTypeNameIsUsedTwice() throws Exception {
        Map<String, List<String>> places = new TreeMap<>();
        for (String module : MODULES) {
            for (Path file : ProseTest.files(module + "/src/main/java", ".java")) {
                String name = file.getFileName().toString().replace(".java", "");
                places.computeIfAbsent(name, key -> new ArrayList<>()).add(module);
            }
        }
        places.entrySet().removeIf(entry -> entry.getValue().size() == 1 || USED_TWICE.containsKey(entry.getKey()));

        assertThat(places).isEmpty();
    }

    @Test
    void typesAndPackagesUseNoDeniedWord() throws Exception {
        List<String> found = new ArrayList<>();
        for (String module : MODULES) {
            for (Path file : ProseTest.files(module + "/src", ".java")) {
                var type = TYPE.matcher(file.getFileName().toString());
                if (type.matches()) {
                    check(type.group(1), found);
                }
                check(file.getParent().getFileName().toString(), found);
            }
        }
        assertThat(found).isEmpty();
    }

    @Test
    void routesAndFieldsOfTheContractUseNoDeniedWord() throws Exception {
        String contract = Files.readString(ProseTest.ROOT.resolve("openapi.yaml"));
        List<String> found = new ArrayList<>();
        Stream.concat(
                        ROUTE.matcher(contract).results(),
                        PROPERTY.matcher(contract).results())
                .map(match -> match.group(1))
                .distinct()
                .forEach(name -> check(name, found));
        assertThat(found).isEmpty();
    }

    @Test
    void metricsUseNoDeniedWord() throws Exception {
        List<String> found = new ArrayList<>();
        for (Path file : ProseTest.files("service/src/main/java", ".java")) {
            METRIC.matcher(Files.readString(file)).results().forEach(match -> check(match.group(1), found));
        }
        assertThat(found).isEmpty();
    }

    @Test
    void columnsUseNoDeniedWord() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path file : ProseTest.files("db/migrations", ".sql")) {
            COLUMN.matcher(Files.readString(file)).results().forEach(match -> check(match.group(1), found));
        }
        assertThat(found).isEmpty();
    }

    private static void check(String name, List<String> found) {
        CAMEL.splitAsStream(name)
                .map(word -> word.toLowerCase(Locale.ROOT))
                .filter(DENIED::contains)
                .forEach(word -> found.add("%s contains \"%s\"".formatted(name, word)));
    }
}
