package dev.spur.service.language;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.testing.MavenModules;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Names in code, contract and metrics are nouns and verbs of the field, and no type name is used twice. */
class VocabularyTest {
    private static final Pattern TEST_METHOD = Pattern.compile("(?m)^ +(?:public )?void (\\w+)\\(");
    /** Comments, text blocks, strings and characters. */
    private static final Pattern NO_CODE = Pattern.compile(
            "(?s)/\\*.*?\\*/|\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\])*+\"|'(?:\\\\.|[^'\\\\])+'|//[^\n]*+");
    /** Declaration of a constant, variable, parameter or method after its type. */
    private static final Pattern DECLARATION = Pattern.compile(
            "(?:\\b[A-Z][\\w.]*+(?:<[^;(){}]*>)?(?:\\[])*|\\b(?:int|long|double|boolean|void|var|byte|char))\\s+([a-zA-Z]\\w*+)\\s*+[=;,):(]");
    /** Declaration of a method whose name is one word, after its return type. */
    private static final Pattern ONE_WORD_METHOD = Pattern.compile(
            "(?:\\b[A-Z][\\w.]*+(?:<[^;(){}]*>)?(?:\\[])*|\\b(?:int|long|double|boolean|void|byte|char))\\s+([a-z]++)\\s*+\\(");
    /** Past participles. Verbs that end alike, such as feed and proceed, are no match. */
    private static final Pattern PARTICIPLE = Pattern.compile(
            "[a-z]+(?<!e)ed|begun|broken|built|chosen|done|drawn|found|given|gone|grown|held|hidden|known|left|lost|made|seen|sent|shown|spent|stuck|taken|told|written");
    /** Methods of interfaces of other projects. */
    private static final Set<String> CALLBACKS = Set.of("completed", "failed", "cancelled");
    /** Value of the objective; the verb of java.util.concurrent; the option {@code --quiet}. */
    private static final Set<String> ALLOWED_IN_CODE = Set.of("worth", "await", "awaits", "quiet");

    private static final Pattern METRIC = Pattern.compile("\"(spur[._][a-z0-9._]+)\"");

    @Test
    void noTypeNameIsUsedTwice() throws Exception {
        Map<String, List<Path>> places = new TreeMap<>();
        for (String module : MavenModules.ALL) {
            for (Path file : ProseTest.files(module + "/src/main/java", ".java")) {
                places.computeIfAbsent(typeOf(file), key -> new ArrayList<>()).add(file);
            }
        }
        places.remove("package-info");
        places.values().removeIf(files -> files.size() == 1);

        assertThat(places).isEmpty();
    }

    @Test
    void typesAndPackagesUseNoDeniedWord() throws Exception {
        List<String> names = new ArrayList<>();
        for (String module : MavenModules.ALL) {
            for (Path file : ProseTest.files(module + "/src", ".java")) {
                names.add(typeOf(file));
                names.add(file.getParent().getFileName().toString());
            }
        }
        assertNoDeniedWord(names);
    }

    @Test
    void variablesAndMethodsUseNoDeniedWord() throws Exception {
        assertThat(namesInCode(DECLARATION))
                .hasSizeGreaterThan(10_000)
                .allSatisfy(
                        name -> assertThat(Vocabulary.deniedIn(name)).as(name).isSubsetOf(ALLOWED_IN_CODE));
    }

    @Test
    void methodsAreVerbsOrNounsAndNoParticiples() throws Exception {
        assertThat(namesInCode(ONE_WORD_METHOD))
                .hasSizeGreaterThan(3000)
                .filteredOn(name -> PARTICIPLE.matcher(name).matches())
                .isSubsetOf(CALLBACKS);
    }

    @Test
    void routesOperationsAndFieldsOfTheContractUseNoDeniedWord() throws Exception {
        JsonNode contract = new YAMLMapper().readTree(Files.readString(ProseTest.ROOT.resolve("openapi.yaml")));
        List<String> names = new ArrayList<>(contract.path("paths").propertyNames());
        names.addAll(contract.at("/components/schemas").propertyNames());
        contract.findValues("properties").forEach(properties -> names.addAll(properties.propertyNames()));
        names.addAll(contract.findValuesAsString("operationId"));
        contract.findValues("enum").forEach(values -> values.forEach(value -> names.add(value.asString())));

        assertThat(names).hasSizeGreaterThan(1000);
        assertNoDeniedWord(names);
    }

    @Test
    void metricsUseNoDeniedWord() throws Exception {
        List<String> names = new ArrayList<>();
        for (Path file : ProseTest.files("service/src/main/java", ".java")) {
            METRIC.matcher(Files.readString(file)).results().forEach(match -> names.add(match.group(1)));
        }
        assertNoDeniedWord(names);
    }

    @Test
    void testsNameNoPersons() throws Exception {
        List<String> names = new ArrayList<>();
        for (String module : MavenModules.ALL) {
            for (Path file : ProseTest.files(module + "/src/test/java", "Test.java")) {
                TEST_METHOD.matcher(Files.readString(file)).results().forEach(match -> names.add(match.group(1)));
            }
        }

        assertThat(names)
                .hasSizeGreaterThan(2000)
                .allSatisfy(name ->
                        assertThat(Vocabulary.wordsOf(name)).as(name).doesNotContainAnyElementsOf(Vocabulary.PERSONS));
    }

    /** Returns the first group of each match in the code of all modules, without comments and strings. */
    private static List<String> namesInCode(Pattern declaration) throws Exception {
        List<String> names = new ArrayList<>();
        for (String module : MavenModules.ALL) {
            for (Path file : ProseTest.files(module + "/src/main/java", ".java")) {
                String code = NO_CODE.matcher(Files.readString(file)).replaceAll("");
                declaration.matcher(code).results().forEach(match -> names.add(match.group(1)));
            }
        }
        return names;
    }

    private static String typeOf(Path file) {
        return file.getFileName().toString().replace(".java", "");
    }

    private static void assertNoDeniedWord(List<String> names) {
        assertThat(names)
                .isNotEmpty()
                .allSatisfy(
                        name -> assertThat(Vocabulary.deniedIn(name)).as(name).isEmpty());
    }
}
