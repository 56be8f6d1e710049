package dev.spur.service.language;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.testing.MavenModules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Fields, parameters and catch parameters are named after their types. */
class VariableNamesTest {
    static final List<String> MODULES = MavenModules.ALL;
    /** Largest share of names that differ: names of the contract, two values of one type, and other reasons. */
    private static final double LIMIT = 0.12;
    /** Limits of modules with more such names: the present shares. They must not rise. */
    private static final Map<String, Double> LARGER_LIMITS =
            Map.of("agent", 0.3, "connectors", 0.28, "service", 0.24, "benchmarks", 0.3);

    static final List<String> STRICT_MODULES = MODULES.stream()
            .filter(module -> !LARGER_LIMITS.containsKey(module))
            .toList();
    private static final Set<String> CATCH_NAMES = Set.of("exception", "ignored", "expected");
    private static List<VariableNames.Variable> variables = List.of();

    @BeforeAll
    static void parse() throws IOException {
        variables = VariableNames.of(ProseTest.ROOT, MODULES);
        assertThat(variables).hasSizeGreaterThan(5_000);
    }

    @ParameterizedTest
    @FieldSource("MODULES")
    void fieldsAreNamedAfterTheirTypes(String module) {
        assertShare(
                VariableNames.select(variables, module, VariableNames.Kind.FIELD),
                LARGER_LIMITS.getOrDefault(module, LIMIT));
    }

    @ParameterizedTest
    @FieldSource("STRICT_MODULES")
    void parametersAreNamedAfterTheirTypes(String module) {
        assertShare(VariableNames.select(variables, module, VariableNames.Kind.PARAMETER), LIMIT);
    }

    @ParameterizedTest
    @FieldSource("STRICT_MODULES")
    void catchParametersAreNamedAfterTheirTypes(String module) {
        assertThat(VariableNames.select(variables, module, VariableNames.Kind.CATCH))
                .allMatch(variable -> CATCH_NAMES.contains(variable.name()) || variable.isNamedAfterType());
    }

    @Test
    void wordsAreComparedInSingularAndByTypeOfElements(@TempDir Path root) throws IOException {
        Path folder = Files.createDirectories(root.resolve("module/src/main/java"));
        Files.writeString(folder.resolve("NodeShare.java"), "record NodeShare(int slots) {}");
        Files.writeString(
                folder.resolve("Plan.java"),
                "import java.util.*; class Plan { List<NodeShare> shares; Map<String, NodeShare[]> nodes; NodeShare value;"
                        + " Optional<? extends NodeShare> freeNode; NodeShare part; String name; static final Plan NONE = null; }");

        List<VariableNames.Variable> fields =
                VariableNames.select(VariableNames.of(root, List.of("module")), "module", VariableNames.Kind.FIELD);

        assertThat(fields)
                .extracting(VariableNames.Variable::name)
                .containsExactly("shares", "nodes", "value", "freeNode", "part");
        assertThat(fields)
                .filteredOn(field -> !field.isNamedAfterType())
                .extracting(VariableNames.Variable::name)
                .containsExactly("value", "part");
        assertThat(VariableNames.differingShare(fields)).isEqualTo(0.4);
    }

    private static void assertShare(List<VariableNames.Variable> variables, double limit) {
        List<VariableNames.Variable> differing = variables.stream()
                .filter(variable -> !variable.isNamedAfterType())
                .toList();

        assertThat(VariableNames.differingShare(variables))
                .as("share of names without a word of their type: %s", differing)
                .isLessThanOrEqualTo(limit);
    }
}
